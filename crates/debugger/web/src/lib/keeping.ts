// What a reader's browser remembers: sizes, theme, that the first hint was seen. Where storage is not allowed nothing is kept.

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(`foresee ${name}`);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`foresee ${name}`, value);
  } catch {
    // A story file opened from disk may have no storage.
  }
}
