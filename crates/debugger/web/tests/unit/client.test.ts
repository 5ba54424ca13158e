// The client: answers find their requests, news are told, and a lost program is tried again after longer and longer waits.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clock, Refusal, SocketClient, type SocketLike, WRONG_TOKEN } from '../../src/lib/client.ts';
import type { News } from '../../src/lib/types.ts';

class FakeSocket implements SocketLike {
  sent: { id: number; do: string }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onerror: (() => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { id: number; do: string });
  }
  close(): void {
    this.onclose?.({ code: 1000 });
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

function setup(): { client: SocketClient; sockets: FakeSocket[]; waits: number[]; tick: () => void } {
  const sockets: FakeSocket[] = [];
  const waits: number[] = [];
  let waiting: (() => void) | null = null;
  const clock: Clock = {
    later: (run, ms) => {
      waits.push(ms);
      waiting = run;
      return 1;
    },
    cancel: () => {
      waiting = null;
    },
  };
  const client = new SocketClient(() => {
    const socket = new FakeSocket();
    sockets.push(socket);
    return socket;
  }, clock);
  const tick = (): void => {
    const run = waiting;
    waiting = null;
    run?.();
  };
  return { client, sockets, waits, tick };
}

test('answers find their requests in any order', async () => {
  const { client, sockets } = setup();
  client.start();
  sockets[0]?.onopen?.();
  const [one, other] = [client.ask<number>('rows'), client.ask<number>('state', { place: 3 })];
  sockets[0]?.say({ id: 2, ok: 22 });
  sockets[0]?.say({ id: 1, ok: 11 });
  assert.deepEqual(await Promise.all([one, other]), [11, 22]);
  assert.deepEqual(sockets[0]?.sent.map((it) => it.do), ['rows', 'state']);
});

test('an error is a refusal with its code and help', async () => {
  const { client, sockets } = setup();
  client.start();
  sockets[0]?.onopen?.();
  const asked = client.ask('step');
  sockets[0]?.say({ id: 1, error: { code: 'label-disagrees', message: 'no', help: 'ask again' } });
  await assert.rejects(asked, (error: unknown) => error instanceof Refusal && error.code === 'label-disagrees' && error.help === 'ask again');
});

test('news are told; unknown answers are ignored', () => {
  const { client, sockets } = setup();
  const heard: News[] = [];
  client.onNews = (news) => heard.push(news);
  client.start();
  sockets[0]?.onopen?.();
  sockets[0]?.say({ news: 'moved', who: 'b', place: 4 });
  sockets[0]?.say({ id: 99, ok: {} });
  assert.equal(heard.length, 1);
});

test('a lost program is tried again after 0.5 to 8 seconds, and open requests fail', async () => {
  const { client, sockets, waits, tick } = setup();
  client.start();
  sockets[0]?.onopen?.();
  const asked = client.ask('state');
  sockets[0]?.onclose?.({ code: 1006 });
  await assert.rejects(asked);
  for (let at = 1; at < 7; at += 1) {
    tick();
    sockets[at]?.onclose?.({ code: 1006 });
  }
  assert.deepEqual(waits, [500, 1000, 2000, 4000, 8000, 8000, 8000]);
  tick();
  sockets[7]?.onopen?.();
  sockets[7]?.onclose?.({ code: 1006 });
  assert.equal(waits[7], 500);
});

test('a wrong token is not tried again', () => {
  const { client, sockets, waits } = setup();
  const lost: number[] = [];
  client.onLost = (code) => lost.push(code);
  client.start();
  sockets[0]?.onclose?.({ code: WRONG_TOKEN });
  assert.deepEqual([waits, lost], [[], [WRONG_TOKEN]]);
});

test('asking while nobody answers is refused at once', async () => {
  const { client } = setup();
  await assert.rejects(client.ask('rows'), (error: unknown) => error instanceof Refusal && error.code === 'lost');
});
