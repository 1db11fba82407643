import { readFileSync } from "node:fs";
import type { LatchkeyConfig } from "@latchkey/contracts";
import { cheapPasswords } from "./cheap-passwords.ts";

// Configuration of services in other processes, because functions cannot be passed as JSON. The other options are in a file.

const options = JSON.parse(
  readFileSync(process.env["LATCHKEY_OPTIONS"] ?? "", "utf8"),
) as LatchkeyConfig;
const { emailAndPassword } = options;

const config: LatchkeyConfig = {
  ...options,
  emailAndPassword: {
    ...emailAndPassword,
    password: { ...emailAndPassword?.password, ...cheapPasswords },
  },
};

export default config;
