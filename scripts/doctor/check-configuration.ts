import { defaultSecret } from "@latchkey/service-kit";
import { fail, type Finding, ok, warn } from "./finding.ts";
import type { Examined } from "./read-examined.ts";

const nodeMajor = 26;
const secretLength = 32;

/** The Node that runs this, which is the one that runs the services where both are started alike. */
export const checkNode = (version: string): Finding =>
  Number.parseInt(version, 10) >= nodeMajor
    ? ok("node", version)
    : warn(
        "node",
        version,
        `run on Node ${nodeMajor}, with which Latchkey is tested: npm ci brings it, npm scripts and npx use it`,
      );

/** Every problem of the options and variables, with its name. */
export const checkConfiguration = ({ problems }: Pick<Examined, "problems">): Finding[] =>
  problems.length === 0
    ? [ok("configuration", "no problem")]
    : problems.map((problem) => {
        const name = problem.split(":", 1)[0] ?? "";
        return fail(
          "configuration",
          problem,
          `mend ${name === "options" ? "the option of that name" : name}; docs/configuration.md tells what it takes`,
        );
      });

/** Whether the secret protects anything. */
export const checkSecret = ({
  settings,
  secretFrom,
  database,
  production,
  leftOut,
}: Examined): Finding => {
  const advice = "set AUTH_SECRET, for example to the output of `openssl rand -base64 32`";
  if (leftOut.has("secret") || (production && secretFrom === "nowhere"))
    return fail("secret", "there is none that can be used", advice);
  if (secretFrom === "nowhere")
    return database === "configured"
      ? warn("secret", "none is set: services started alone use one that everybody knows", advice)
      : ok("secret", "none yet: npm start makes one and keeps it in .data/secret");
  const { secret } = settings.options;
  if (secret.includes(defaultSecret))
    return warn("secret", "the default one is used, which everybody knows", advice);
  if (secretFrom === "kept") return ok("secret", "made by npm start, kept in .data/secret");
  const shortest = Math.min(...secret.map((each) => each.length));
  const count = secret.length === 1 ? "" : `${secret.length} secrets, the shortest of `;
  return shortest < secretLength
    ? warn("secret", `${count}${shortest} characters`, `${advice}; keep the old one behind a comma`)
    : ok("secret", `${count}${shortest} characters`);
};
