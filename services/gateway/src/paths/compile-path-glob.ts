import { wildcardMatch } from "./wildcard-match.ts";

/**
 * Compiles a test for paths. `*` and `?` match within a segment. A segment `**` matches any number of segments, including none, so `/a/**`
 * matches `/a`, `/a/b` and `/a/b/c`. The work is bounded for any path, as in `wildcardMatch`.
 */
export function compilePathGlob(glob: string): (path: string) => boolean {
  const wanted = glob.split("/");
  return (path) => segmentsMatch(wanted, path.split("/"));
}

function segmentsMatch(wanted: readonly string[], given: readonly string[]): boolean {
  let wantedAt = 0;
  let givenAt = 0;
  let spanAt = -1;
  let spanEnd = 0;
  for (let segment = given[0]; segment !== undefined; segment = given[givenAt]) {
    const pattern = wanted[wantedAt];
    if (pattern === "**") {
      spanAt = wantedAt++;
      spanEnd = givenAt;
    } else if (pattern !== undefined && wildcardMatch(pattern, segment)) {
      wantedAt++;
      givenAt++;
    } else if (spanAt >= 0) {
      wantedAt = spanAt + 1;
      givenAt = ++spanEnd;
    } else {
      return false;
    }
  }
  while (wanted[wantedAt] === "**") wantedAt++;
  return wantedAt === wanted.length;
}
