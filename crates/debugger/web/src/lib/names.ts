// Short names for narrow places, and a stable hue for each type of message.

/** `s1` for `server1`, `c2` for `client2`, `bank` for `<P.1/bank>`, `Phil(p1)` for `Philosopher(p1)`. */
export function shortName(name: string): string {
  const together = name.split('+');
  if (together.length > 1) return together.map(shortName).join('+');
  const process = /^<(?:[^/]*\/)?(.*)>$/.exec(name);
  if (process?.[1] !== undefined) return process[1];
  const component = /^([A-Za-z]\w*)(\(.*\))$/.exec(name);
  if (component !== null) return `${(component[1] ?? '').slice(0, 4)}${component[2] ?? ''}`;
  const numbered = /^([A-Za-z])[A-Za-z_-]*?(\d+(?:[./].*)?)$/.exec(name);
  if (numbered !== null) return `${numbered[1] ?? ''}${numbered[2] ?? ''}`.toLowerCase();
  return name.length > 12 ? `${name.slice(0, 11)}…` : name;
}

/** The races worth showing: those whose other order goes well, or else the first of an Erlang program. */
export function racesShown<R extends { decides: boolean }>(races: readonly R[], frontEnd: string): R[] {
  const deciding = races.filter((race) => race.decides);
  return deciding.length > 0 ? deciding.slice(0, 2) : frontEnd === 'erlang' ? races.slice(0, 1) : [];
}

/** The number of hues in the style sheet (`--kind-0` … `--kind-7`). */
export const N_HUES = 8;

/** A hue for a type of message: the same in the list, on arrows, chips and cards. */
export function hueOf(type: string): number {
  let hash = 2166136261;
  for (let at = 0; at < type.length; at += 1) {
    hash = Math.imul(hash ^ type.charCodeAt(at), 16777619) >>> 0;
  }
  return (((hash >>> 15) ^ hash) >>> 0) % N_HUES;
}

export function isClient(name: string | null): boolean {
  return name !== null && /^client/i.test(name);
}

/** Replies have a hollow arrow head: by their names, as people choose them. */
export function isReply(type: string): boolean {
  return /(ok|ed|reply|response|ack|nack|promise|result|pong|vote|done|error)$/i.test(type);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** A text with the names of members in it made short: `Accept 1@s1 A of c1`. */
export function compact(text: string, names: readonly string[]): string {
  let short = text;
  for (const name of [...names].sort((one, other) => other.length - one.length)) {
    if (/^[a-z]+\d+$/i.test(name)) short = short.split(name).join(shortName(name));
  }
  return short;
}

/** What happened, without what the arrow says already: `withdraw 80` for `receive call withdraw 80`. */
export function brief(short: string): string {
  return short.replace(/^receive (?:(?:call|cast|reply) )?(?=\S)/, '');
}

/** The first line of why nothing can happen, as a sentence; nothing if it says no more than that. */
export function firstLine(why: string): string {
  const line = (why.split('\n')[0] ?? '').replace(/\.$/, '');
  if (line === '' || line.toLowerCase() === NOTHING) return '';
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}.`;
}

/** What the program says where it cannot say why. */
const NOTHING = 'nothing can happen any more';
