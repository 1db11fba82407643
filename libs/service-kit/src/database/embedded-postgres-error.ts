const outputLinesMax = 15;

const advices: readonly (readonly [RegExp, string])[] = [
  [
    /Address already in use/,
    "The port is in use: stop the program that listens on it, or choose another port.",
  ],
  [
    /is incompatible with server|not compatible with this version/,
    "The data belongs to another Postgres version: dump and restore it, or move the directory away to start with an empty database.",
  ],
  [
    /postmaster\.pid" already exists/,
    "Another server uses this directory: stop it, or choose another directory.",
  ],
  [
    /Permission denied|EACCES/,
    "The account that runs Postgres must be able to enter every folder above the data directory and above its programs.",
  ],
  [/shared libraries|Library not loaded/, "Libraries of the package are missing: run `npm ci`."],
  [/No space left on device/, "The disk is full."],
];

/** Builds an error of three parts: the failure, advice, and Postgres's last output lines. */
export function embeddedPostgresError(what: string, output: readonly string[]): Error {
  const text = output.join("\n");
  const advice =
    advices.find(([pattern]) => pattern.test(text))?.[1] ??
    "Fix what Postgres reports below, or set DATABASE_URL to a Postgres of your own.";
  return new Error([`${what} ${advice}`, ...output.slice(-outputLinesMax)].join("\n  "));
}
