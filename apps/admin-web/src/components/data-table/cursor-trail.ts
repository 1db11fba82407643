/** Where the pages before this one begin, the first one (which needs no cursor) as empty text. */
export type CursorTrail = readonly string[];

interface Place {
  readonly cursor?: string | undefined;
  readonly trail: CursorTrail;
}

export const nextPlace = ({ cursor, trail }: Place, nextCursor: string): Place => ({
  cursor: nextCursor,
  trail: [...trail, cursor ?? ""],
});

/** The page before; who came by a link knows of no page before, and goes to the first one. Undefined on that one. */
export const previousPlace = ({ cursor, trail }: Place): Place | undefined => {
  if (cursor === undefined) return undefined;
  return { cursor: trail.at(-1) || undefined, trail: trail.slice(0, -1) };
};
