const lengthMax = 500;
/** So many letters in a row are no accident. */
const runLength = 16;

const runsOf = (part: string): string[] =>
  Array.from({ length: Math.max(0, part.length - runLength + 1) }, (_, start) =>
    part.slice(start, start + runLength),
  );

/**
 * What gives a link away: its host, its path, and any stretch of what could be the secret in it, since a server may quote it
 * without its scheme, in part, or broken into lines.
 */
const tracesOf = (link: string): string[] => {
  const { host, pathname, href } = new URL(link.toLowerCase());
  const parts = href.slice(href.indexOf(host) + host.length).split(/[/?&=#]/u);
  return [host, ...(pathname.length > 1 ? [pathname] : []), ...parts.flatMap(runsOf)];
};

/** Why a mail failed, without the link in it: who sees the reason need not be one who may open it. */
export const failureReason = (error: unknown, link: string | undefined): string => {
  const text = error instanceof Error ? error.message : String(error);
  const traces = link === undefined ? [] : tracesOf(link);
  const isOfLink = (word: string) => traces.some((trace) => word.toLowerCase().includes(trace));
  const words = text.split(/(\s+)/u).map((word) => (isOfLink(word) ? "[link]" : word));
  return words.join("").slice(0, lengthMax);
};
