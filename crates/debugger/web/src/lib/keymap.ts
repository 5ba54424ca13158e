// The keys: one table from which the handler, the tooltips, the palette and the help are made.
// Keys work everywhere except in text fields; only Escape and Ctrl-K work there, too.

export type Command = {
  id: string;
  /** As `KeyboardEvent.key` says it, `Ctrl+` before it where it is held. */
  keys: string[];
  name: string;
  group: 'Travel' | 'Act' | 'Branches' | 'Values' | 'Look' | 'Session';
  run: () => void;
  /** Shown but refused where it makes no sense. */
  when?: () => boolean;
};

export type KeyPress = {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  defaultPrevented: boolean;
  target: unknown;
};

type Element = { tagName?: string; type?: string; isContentEditable?: boolean; closest?: (selector: string) => unknown };

const NO_TEXT = new Set(['button', 'checkbox', 'radio', 'range', 'submit', 'reset', 'color', 'file']);

/** Whether an element takes the keys as text. */
export function isTextField(target: unknown): boolean {
  const element = target as Element | null;
  const tag = element?.tagName?.toLowerCase();
  if (tag === 'textarea' || tag === 'select') return true;
  if (tag === 'input') return !NO_TEXT.has(element?.type ?? 'text');
  return element?.isContentEditable === true;
}

/** Space and Enter belong to the button or link that has the focus. */
function isPressed(target: unknown): boolean {
  const element = target as Element | null;
  const tag = element?.tagName?.toLowerCase() ?? '';
  return ['button', 'a', 'summary', 'input'].includes(tag);
}

export function chordOf(press: KeyPress): string {
  const held = press.ctrlKey || press.metaKey ? 'Ctrl+' : '';
  return held + (held === '' ? press.key : press.key.toLowerCase());
}

/** The command of a key, or null if the key is not ours. */
export function commandFor(press: KeyPress, commands: readonly Command[], dialogIsOpen: boolean): Command | null {
  if (press.defaultPrevented || press.altKey) return null;
  const chord = chordOf(press);
  const isAlways = chord === 'Escape' || chord === 'Ctrl+k';
  if (!isAlways && (isTextField(press.target) || dialogIsOpen)) return null;
  if ((chord === ' ' || chord === 'Enter') && isPressed(press.target)) return null;
  return commands.find((command) => command.keys.includes(chord)) ?? null;
}

const WORDS: Record<string, string> = { ' ': 'space', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', 'Ctrl+k': 'Ctrl-K' };

/** A key as a person calls it. */
export function keyWord(key: string): string {
  return WORDS[key] ?? key;
}

/** The keys of a command for a tooltip: `Next step (n or →)`. */
export function titled(command: Command): string {
  return command.keys.length === 0 ? command.name : `${command.name} (${command.keys.map(keyWord).join(' or ')})`;
}
