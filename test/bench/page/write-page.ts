import type { Line } from "../harness/row.ts";
import type { Machine } from "../harness/machine.ts";
import type { Measured } from "./results.ts";

const introduction = `# Benchmarks

\`npm run bench -- --write\` writes this page, its chart and \`benchmarks.json\`, from which both are made. Nobody edits them.

## How it is measured

- **A floor** is the least that any service split like ours can do on this stack: a bare Fastify gateway that checks one
  signature and passes the request on, and a bare Fastify service that runs one prepared statement or one \`GET\` of Redis. It
  runs in the same minutes on the same stores. Ours and the floor take turns, and each ratio is the median over the rounds.
- Only ratios are judged. Requests per second are printed too, but depend on the machine.
- Each side is one process with all its services. CPU is counted for that process alone, not for the load, which
  comes from another process over 32 connections that are kept open. Each sends its next request when it has its answer.
- **Operations in a session** take turns with get-session in the same process. The ratio is that of their CPU times. There are
  10,000 users with one session, one account and three API keys each. Each owns an organization alone. Half of them work in it; the
  others work in an organization of ten members and two invitations.
- **From a copy** (\`get-session-cached\`): the client sends a cached copy of its session. The floor is one bare server that checks
  one signature and sends the prepared answer of that session, out of 10,000. The second line compares with a floor that sends the same
  answer to all, which no service may do.
- **Without a copy**: the cookie cache is on, and the client sends no cached copy of the session. The floor is the same request
  with the cookie cache off.
- **Growth** asks the same of 10,000 rows and of 1,000,000 in turn, one request at a time. The ratio is that of the 95th
  percentiles for lists, and of the medians if all requests are alike. If there are more matches among more rows (an exact
  total counts up to 10,000 of them), 15 ms are accepted at any ratio.
- **Postgres** has 32 MB of shared buffers and \`io_method = sync\`. With the default of Postgres 18, searches for a few letters
  took up to seven times as long here ([ADR 101](adr/0101-the-embedded-postgres-reads-pages-itself.md)).
- **Mixed load** runs every service in separate processes on Redis, with the cookie cache on: 70 % get-session, 10 %
  get-session by a cookie that holds a copy, 10 % verifications of API keys, 8 % sign-ins, 2 % sign-ups. Every tenth request
  hashes a password, so the processor's cores bound the whole, and who signs in waits for a place in the hash pool.
  Two of each service share these cores with the stores and the load; on a machine with two they show that nothing breaks, not
  that more is done. Each gateway calls the services with its own number.
- **Memory** is what the system counts as resident: when a process is ready, right after a mixed load, and 15 seconds later. The
  processes are those of \`npm start\` and \`npm run start:<service>\`, at their second start.
- **Sign-ins** are compared with scrypt alone on the same cores. **Enumeration** compares answers about somebody known with
  answers about nobody. Neither the median nor the slower side may reveal which is which.
- **First visit** (\`admin-web-first-visit\`) opens Home and Users of the admin web in Chromium with an empty cache. The
  DevTools protocol slows the network down to 1.6 Mbit/s and 150 ms a request, and the processor to a quarter. The time ends with
  the first row of data. The bound of 2.5 s is for a machine that does nothing else.
- **Sign-in page** (\`account-web-sign-in\`) opens the sign-in page of the account web with an empty cache, at 1 Mbit/s and 200 ms a
  request. The time ends with the form.

Run one row with \`npm run bench -- --only <row>\`, all of them shorter with \`--quick\`, and see where the time goes with
\`--profile <row>\`. \`--path <part>\` restricts a row to some of its paths. \`--peer\` measures the rows beside better-auth.
`;

const peerIntroduction = `## Beside better-auth

Both products get the same bytes in turn in the same minutes, on one Postgres and one Redis. \`npm run bench -- --peer\` measures them.

- Latchkey is one process with all its services, behind its gateway. better-auth 1.7 is one process in production mode, behind
  the HTTP server of Node with its own handler, without a framework or an application.
- Both have the users, sessions, organizations and API keys described above, and as many connections to Postgres (40).
- better-auth has only the plugins of these paths: organization, JWT and API key. Its options are the defaults, apart from those named
  here. Its joins are off: with them it was slower here. With Redis its sessions are in secondary storage, and only there.
- Rate limits of requests are off on both sides. The cookie cache is off too, so each answer reflects a revocation immediately.
- Both verify API keys of 30,000 in Postgres and count each use. Latchkey answers on the port for backends. better-auth
  has a function for that, which its server offers without other checks.
`;

/** Escapes text so that Markdown reads it neither as the end of a cell nor as markup. */
const cell = (text: string): string =>
  text.replaceAll(/[|<]/g, (one) => (one === "|" ? "\\|" : "&lt;"));

export const verdictOf = ({ met }: Line): string => {
  if (met === undefined) return "";
  return met ? "met" : "**missed**";
};

export const tableOf = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map(cell).join(" | ")} |`)
    .join("\n");

const machineText = (machine: Machine): string =>
  `${machine.cores} cores (${machine.processor}), ${machine.memoryGigabytes} GB, ${machine.system}, Node ${machine.node}, PostgreSQL ${machine.postgres}, Redis ${machine.redis}`;

const isBesidePeer = ({ lines }: Measured): boolean =>
  lines.some(({ peerIsBetter }) => peerIsBetter !== undefined);

/** Writes the rows, grouped by the machine that they were measured on. */
const writeMachines = (results: readonly Measured[]): string => {
  const byMachine = new Map<string, string[]>();
  for (const { machine, name } of results) {
    const text = machineText(machine);
    byMachine.set(text, [...(byMachine.get(text) ?? []), name]);
  }
  const entries = [...byMachine];
  const [first] = entries;
  if (first && entries.length === 1) return `Machine: ${first[0]}.`;
  return ["Machines:\n", ...entries.map(([text, names]) => `- ${text}: ${names.join(", ")}.`)].join(
    "\n",
  );
};

const writeTable = (
  results: readonly Measured[],
  [ours, floor]: readonly [string, string],
): string =>
  tableOf(
    ["row", "path", ours, floor, "ratio", "budget", "", "measured"],
    results.flatMap(({ name, date, isQuick, lines }) =>
      lines.map((line, index) => [
        index === 0 ? `\`${name}\`` : "",
        line.path,
        line.ours,
        line.floor,
        line.ratio,
        line.budget,
        verdictOf(line),
        isQuick ? `${date}, quick` : date,
      ]),
    ),
  );

const writeMissed = (results: readonly Measured[]): string => {
  const missed = results.flatMap(({ name, lines, profile }) => {
    const paths = lines.filter(({ met }) => met === false).map(({ path }) => `- ${path}`);
    if (paths.length === 0) return [];
    const spent = profile && ["CPU time by function:", "", "```text", ...profile, "```", ""];
    return [[`### ${name}`, "", ...paths, "", ...(spent ?? [])].join("\n")];
  });
  return missed.length === 0 ? "Every budget is met.\n" : missed.join("\n");
};

const writePeerBetter = (results: readonly Measured[]): string => {
  const paths = results
    .flatMap(({ lines }) => lines)
    .flatMap(({ path, ratio, peerIsBetter }) =>
      peerIsBetter ? [`- ${path} (ratio ${ratio})`] : [],
    );
  return paths.length === 0 ? "In none of these figures." : paths.join("\n");
};

const writePeer = (results: readonly Measured[]): string => `${peerIntroduction}
![Bars of the throughput of each path as a multiple of better-auth's; the table below has the same figures](benchmarks-peer.svg)

${writeTable(results, ["Latchkey", "better-auth"])}

### Where better-auth is better

${writePeerBetter(results)}

A library also needs no process of its own, no network hop from the application to it, and no second deployment. Latchkey
does need them.
`;

/** Returns the Markdown page of the results. */
export const writePage = (results: readonly Measured[]): string => {
  const beside = results.filter(isBesidePeer);
  const own = results.filter((row) => !isBesidePeer(row));
  return `${introduction}
## Results

${writeMachines(results)}

![Bars of each ratio with its budget; the table below has the same figures](benchmarks.svg)

${writeTable(own, ["ours", "floor"])}

${beside.length === 0 ? "" : `${writePeer(beside)}\n`}## Below budget

${writeMissed(results)}`;
};
