// Keys work everywhere except in text fields; Space and Enter belong to the button that has the focus.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, commandFor, isTextField, type KeyPress, titled } from '../../src/lib/keymap.ts';

const command = (id: string, ...keys: string[]): Command => ({ id, keys, name: id, group: 'Travel', run: () => undefined });
const COMMANDS = [command('next', 'n', 'ArrowRight'), command('play', ' '), command('drop', 'd'), command('duplicate', 'D'), command('close', 'Escape'), command('palette', 'Ctrl+k')];
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({ key, ctrlKey: false, metaKey: false, altKey: false, defaultPrevented: false, target: { tagName: 'BODY' }, ...more });
const id = (one: KeyPress, dialog = false): string | undefined => commandFor(one, COMMANDS, dialog)?.id;

test('every key of a command works, case counts', () => {
  assert.equal(id(press('n')), 'next');
  assert.equal(id(press('ArrowRight')), 'next');
  assert.equal(id(press('d')), 'drop');
  assert.equal(id(press('D')), 'duplicate');
  assert.equal(id(press('q')), undefined);
});

test('a row of the state tree does not swallow keys', () => {
  assert.equal(id(press('n', { target: { tagName: 'DIV' } })), 'next');
});

test('text fields swallow keys, but not Escape and Ctrl-K', () => {
  for (const target of [{ tagName: 'INPUT', type: 'text' }, { tagName: 'TEXTAREA' }, { tagName: 'DIV', isContentEditable: true }]) {
    assert.equal(id(press('n', { target })), undefined);
    assert.equal(id(press('Escape', { target })), 'close');
    assert.equal(id(press('k', { target, ctrlKey: true })), 'palette');
  }
  assert.ok(!isTextField({ tagName: 'INPUT', type: 'checkbox' }));
});

test('space on a button presses the button', () => {
  assert.equal(id(press(' ', { target: { tagName: 'BUTTON' } })), undefined);
  assert.equal(id(press(' ')), 'play');
  assert.equal(id(press('n', { target: { tagName: 'BUTTON' } })), 'next');
});

test('what a region has handled, what is held with Alt, and what belongs to the browser is left alone', () => {
  assert.equal(id(press('ArrowRight', { defaultPrevented: true })), undefined);
  assert.equal(id(press('n', { altKey: true })), undefined);
  assert.equal(id(press('n', { ctrlKey: true })), undefined);
});

test('an open dialog keeps the keys from the page', () => {
  assert.equal(id(press('n'), true), undefined);
  assert.equal(id(press('Escape'), true), 'close');
});

test('tooltips name the keys', () => {
  assert.equal(titled(command('Next step', 'n', 'ArrowRight')), 'Next step (n or →)');
});
