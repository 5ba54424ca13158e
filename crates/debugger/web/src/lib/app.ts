// The one store, session and client of this page.

import { Asking } from './asking.ts';
import { type Client, type Clock, SocketClient, type SocketLike } from './client.ts';
import { type Address, Session } from './session.ts';
import { Store } from './store.ts';
import { StoryClient, storyIn } from './story.ts';

const clock: Clock = {
  later: (run, ms) => setTimeout(run, ms),
  cancel: (handle) => clearTimeout(handle as ReturnType<typeof setTimeout>),
};

function addressOf(hash: string): Address {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  return { token: fields.get('t') ?? '', session: fields.get('s'), at: fields.get('at') };
}

async function clientFor(): Promise<Client> {
  const story = await storyIn(document);
  if (story !== null) return new StoryClient(story);
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  const url = `${scheme}//${location.host}/api/1/ws`;
  return new SocketClient(() => new WebSocket(url) as unknown as SocketLike, clock);
}

export const address = addressOf(location.hash);
export const store = new Store();
export const client = await clientFor();
export const session = new Session(client, store, address);
export const asking = new Asking(session);

/** The address that opens this step for somebody who reaches the same program. */
export function linkHere(): string {
  const { model } = store;
  const branch = model.branches.find((one) => one.branch === model.branch)?.name ?? 'main';
  const at = `${branch}:${model.row?.step ?? 0}`;
  const fields = [`t=${address.token}`, `s=${model.hello?.session ?? ''}`, `at=${encodeURIComponent(at).replace('%3A', ':')}`];
  return `${location.origin}${location.pathname}#${fields.join('&')}`;
}
