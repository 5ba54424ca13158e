// The page's side of the protocol: requests with answers, news, and trying again when the program stops answering.
// Not here: what the answers mean (`session.ts`), answers from a story file (`story.ts`).

import type { News } from './types.ts';

/** The protocol of this page; the program's first number must be the same. */
export const PROTOCOL: [number, number] = [1, 0];

/** Why a request was not answered. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly help: string = '',
  ) {
    super(message);
  }
}

export type Fields = Record<string, unknown>;

/** What the session needs of whoever answers. */
export interface Client {
  /** Sends a request. `started` is told its number, for `cancel`. */
  ask<T>(what: string, fields?: Fields, started?: (id: number) => void): Promise<T>;
  onNews: (news: News) => void;
  onOpen: () => void;
  onLost: (code: number) => void;
  start(): void;
  stop(): void;
  readonly is_story: boolean;
}

/** What a socket must offer; tests bring their own. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: (() => void) | null;
}
export type Clock = { later(run: () => void, ms: number): unknown; cancel(handle: unknown): void };

const WAIT_FIRST_MS = 500;
const WAIT_MAX_MS = 8000;
/** Closing with these codes is an answer; trying again would not help. */
export const WRONG_TOKEN = 4401;
export const WRONG_PROTOCOL = 4400;

type Asked = { resolve: (value: never) => void; reject: (error: Error) => void };

export class SocketClient implements Client {
  onNews: (news: News) => void = () => undefined;
  onOpen: () => void = () => undefined;
  onLost: (code: number) => void = () => undefined;
  readonly is_story = false;
  private socket: SocketLike | null = null;
  private isOpen = false;
  private isStopped = false;
  private next = 1;
  private wait = WAIT_FIRST_MS;
  private timer: unknown = null;
  private readonly asked = new Map<number, Asked>();

  constructor(
    private readonly connect: () => SocketLike,
    private readonly clock: Clock,
  ) {}

  start(): void {
    this.isStopped = false;
    const socket = this.connect();
    this.socket = socket;
    socket.onopen = () => {
      this.isOpen = true;
      this.wait = WAIT_FIRST_MS;
      this.onOpen();
    };
    socket.onmessage = (event) => this.receive(String(event.data));
    socket.onerror = () => undefined;
    socket.onclose = (event) => this.lose(event.code);
  }

  stop(): void {
    this.isStopped = true;
    this.clock.cancel(this.timer);
    this.socket?.close();
  }

  /** Tries at once instead of waiting. */
  retryNow(): void {
    if (this.isOpen || this.isStopped) return;
    this.clock.cancel(this.timer);
    this.start();
  }

  ask<T>(what: string, fields: Fields = {}, started?: (id: number) => void): Promise<T> {
    const socket = this.socket;
    if (!this.isOpen || socket === null) {
      return Promise.reject(new Refusal('lost', 'The program is not answering.'));
    }
    const id = this.next;
    this.next += 1;
    started?.(id);
    return new Promise<T>((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      socket.send(JSON.stringify({ id, do: what, ...fields }));
    });
  }

  private receive(text: string): void {
    const message = JSON.parse(text) as {
      id?: number;
      ok?: unknown;
      error?: { code: string; message: string; help?: string };
      news?: string;
    };
    if (message.news !== undefined) {
      this.onNews(message as unknown as News);
      return;
    }
    const asked = message.id === undefined ? undefined : this.asked.get(message.id);
    if (asked === undefined || message.id === undefined) return;
    this.asked.delete(message.id);
    if (message.error !== undefined) {
      const { code, message: words, help } = message.error;
      asked.reject(new Refusal(code, words, help ?? ''));
    } else {
      asked.resolve(message.ok as never);
    }
  }

  private lose(code: number): void {
    this.isOpen = false;
    this.socket = null;
    for (const asked of this.asked.values()) {
      asked.reject(new Refusal('lost', 'The program stopped answering.'));
    }
    this.asked.clear();
    this.onLost(code);
    if (this.isStopped || code === WRONG_TOKEN || code === WRONG_PROTOCOL) return;
    this.timer = this.clock.later(() => this.start(), this.wait);
    this.wait = Math.min(WAIT_MAX_MS, this.wait * 2);
  }
}
