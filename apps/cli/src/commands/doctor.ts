import { examine } from "../doctor/examine.ts";
import type { Finding } from "../doctor/finding.ts";
import type { Command } from "./command.ts";
import { readOptions } from "./read-options.ts";

const line = ({ check, status, detail, remedy }: Finding): string =>
  `${status.padEnd(4)}  ${check}: ${detail}${remedy ? ` -> ${remedy}` : ""}\n`;

const count = (findings: readonly Finding[], status: Finding["status"]): number =>
  findings.filter((finding) => finding.status === status).length;

/** Checks the configuration and everything that it refers to. */
export const doctorCommand: Command = {
  usage: `Usage: npx latchkey doctor [--json]

Checks configuration, secret, addresses, database, schemas, signing keys, waiting events, Redis, SMTP server and services.
Prints one line for each check: ok, warn or fail, the finding and, after an arrow, what to do. Starts, sends and changes nothing,
and shows no secret. Exits with 1 if a check has failed.
  --json  the same as JSON: { "ok": boolean, "checks": [{ "check", "status", "detail", "remedy" }] }
`,
  run: async (args) => {
    const { json } = readOptions(args, { json: { type: "boolean", default: false } });
    const checks = await examine();
    const failed = count(checks, "fail");
    const text = `${checks.map(line).join("")}${failed} failed, ${count(checks, "warn")} to look at, ${count(checks, "ok")} in order\n`;
    process.stdout.write(
      json ? `${JSON.stringify({ ok: failed === 0, checks }, null, 2)}\n` : text,
    );
    return failed === 0 ? 0 : 1;
  },
};
