/** The cursors of the pages before this one. The first page has no cursor and is the empty string. */
export type CursorTrail = readonly string[];

interface Place {
  readonly cursor?: string | undefined;
  readonly trail: CursorTrail;
}

export const nextPlace = ({ cursor, trail }: Place, nextCursor: string): Place => ({
  cursor: nextCursor,
  trail: [...trail, cursor ?? ""],
});

/**
 * Returns the previous page, or undefined on the first one. Returns the first page if this one was opened by a link and the trail is
 * unknown.
 */
export const previousPlace = ({ cursor, trail }: Place): Place | undefined => {
  if (cursor === undefined) return undefined;
  return { cursor: trail.at(-1) || undefined, trail: trail.slice(0, -1) };
};
