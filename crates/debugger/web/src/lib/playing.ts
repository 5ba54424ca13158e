// Story mode: one step after another, each with its sentence, until the end or until somebody takes over.

import { asking, session, store } from './app.ts';

const STEP_MS = 1500;

class Playing {
  private timer: ReturnType<typeof setTimeout> | null = null;

  toggle(): void {
    if (store.model.is_playing) this.stop();
    else void this.start();
  }

  private async start(): Promise<void> {
    const { row, path } = store.model;
    if (path === null) return;
    store.set({ is_playing: true, notice: null });
    if (store.model.story === null) await asking.story();
    const isAtEnd = row !== null && row.step >= path.total - 1;
    if (isAtEnd) await session.goToStep(0);
    this.later();
  }

  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    store.set({ is_playing: false });
  }

  private later(): void {
    this.timer = setTimeout(() => void this.tick(), STEP_MS);
  }

  private async tick(): Promise<void> {
    if (!store.model.is_playing) return;
    const moved = await session.move(1);
    if (moved) this.later();
    else this.stop();
  }
}

export const playing = new Playing();
