// The protocol's types under the names the page uses. They are made from the program's own (`protocol.ts`); here are only the
// additions that an older program may leave out, and the story file.

import type * as Protocol from '../protocol.ts';

export type { Blame, Branch, Change, Choice, Finding, Formula, GoodRun, Label, NotPossible, Note, Opening, Operation, Pending, PropertyState, Restriction, Row, Rows, Source, StateAnswer, Stopped, Story, Toward, Tree } from '../protocol.ts';

export type Mark = string;
export type Outlook = string;
export type Choices = Protocol.ChoicesAnswer & {
  /** With many choices: how many there are of each type. */
  counts?: { member: number | null; type: string; count: number }[];
};
export type Member = Protocol.Member & { mattered?: boolean };
export type MemberState = Protocol.MemberState & { inbox_total?: number };
export type State = Omit<Protocol.StateAnswer, 'parts' | 'changes'>;
export type Hello = Omit<Protocol.Hello, 'members' | 'file'> & { members: Member[]; file?: string | null };
export type Graph = Protocol.Neighbourhood;
export type Until = Protocol.UntilAnswer;
export type Followed = Protocol.FollowedTo;
export type News = Protocol.News;
export type Strip = { properties: string[]; marks: { step: number; mark: Mark }[] };

/** The recorded answers inside a story file. */
export type StoryFile = {
  hello: Hello;
  rows: Protocol.Rows;
  states: Record<string, State>;
  parts: Record<string, Protocol.Tree>;
  choices: Record<string, Choices>;
  changes: Record<string, Protocol.Change[]>;
  sources: Record<string, string>;
  story: Protocol.Story | null;
  /** The drawing of the whole run, for paper. */
  picture?: string;
};
