// Which part of a long list is drawn: only what is visible and a little around it.

export type Window = { from: number; to: number; before: number; after: number };

/** Rows `from` to `to` (exclusive) of equal height, and the empty heights before and after them. */
export function windowOf(
  total: number,
  height: number,
  scrollTop: number,
  viewport: number,
  around = 6,
): Window {
  if (total <= 0 || height <= 0) return { from: 0, to: 0, before: 0, after: 0 };
  const first = Math.max(0, Math.floor(scrollTop / height) - around);
  const from = Math.min(first, total);
  const to = Math.min(total, Math.ceil((scrollTop + viewport) / height) + around);
  const end = Math.max(from, to);
  return { from, to: end, before: from * height, after: (total - end) * height };
}

/** The scroll position that makes a row visible; the present one when it is visible already. */
export function reveal(
  top: number,
  height: number,
  scrollTop: number,
  viewport: number,
  margin = 0,
): number {
  if (top - margin < scrollTop) return Math.max(0, top - margin);
  const bottom = top + height + margin;
  return bottom > scrollTop + viewport ? bottom - viewport : scrollTop;
}

/** The pages of `size` items that a range touches. */
export function pagesOf(from: number, to: number, size: number): number[] {
  const pages: number[] = [];
  for (let page = Math.floor(Math.max(0, from) / size); page * size < to; page += 1) pages.push(page);
  return pages;
}

/** The worst of the characters that fall on each of `buckets` pixels: v before ? before h. */
export function bucketed(strip: string, buckets: number): string[] {
  const worst: string[] = [];
  for (let bucket = 0; bucket < buckets; bucket += 1) {
    const from = Math.floor((bucket * strip.length) / buckets);
    const to = Math.max(from + 1, Math.floor(((bucket + 1) * strip.length) / buckets));
    const part = strip.slice(from, to);
    worst.push(part.includes('v') ? 'v' : part.includes('?') || part === '' ? '?' : 'h');
  }
  return worst;
}
