import { hash } from "node:crypto";
import { createOutbound, type Outbound, type OutboundOptions } from "@latchkey/service-kit/http";
import { type Logger, type Metrics, registerCounter } from "@latchkey/service-kit/observe";
import type { IdentityConfig } from "../config.ts";
import { readCommonPasswords } from "./common-passwords.ts";

type Options = IdentityConfig["emailAndPassword"];

/** Whether passwords are known from leaks. */
export interface CompromisedPasswords {
  /** Returns whether a password is known. False if the service that knows does not answer. */
  includes(password: string): Promise<boolean>;
  close(): Promise<void>;
}

const prefixLength = 5;
/** A sign-in or a change of a password must not wait longer for somebody else's server. */
const deadlineMilliseconds = 1_000;
/** After a failure, no password is sent for this time, so that an outage does not slow down each sign-in. */
const pauseMilliseconds = 30_000;

/**
 * Asks the service by the first five digits of the SHA-1 of the password, so that it does not learn the password. Padding hides the number
 * of answers, by entries with a count of 0.
 */
const findInService = async (
  { fetch }: Pick<Outbound, "fetch">,
  url: string,
  password: string,
): Promise<boolean> => {
  const digest = hash("sha1", password, "hex").toUpperCase();
  const [prefix, suffix] = [digest.slice(0, prefixLength), digest.slice(prefixLength)];
  const address = `${url.replace(/\/$/, "")}/${prefix}`;
  const response = await fetch(address, { headers: { "add-padding": "true" } });
  if (response.status !== 200) throw new Error(`the service answered ${response.status}`);
  const lines = (await response.text()).split(/\r?\n/);
  return lines.some((line) => {
    const [listedSuffix, count] = line.split(":");
    return listedSuffix?.toUpperCase() === suffix && Number(count) > 0;
  });
};

interface Needs {
  config: { emailAndPassword: Options; outbound: OutboundOptions };
  logger: Logger;
  metrics: Metrics;
  clock: () => number;
}

/** Creates the check that the options choose: none, the list that comes with Latchkey, or a service. */
export const createCompromisedPasswords = ({
  config: { emailAndPassword, outbound: outboundOptions },
  logger,
  metrics,
  clock,
}: Needs): CompromisedPasswords => {
  const { compromisedPasswords: source, compromisedPasswordsURL: url } = emailAndPassword;
  const checks = registerCounter(metrics, {
    name: "compromised_password_checks_total",
    help: "Passwords that were compared with leaked ones, by outcome: clean, compromised, failed, skipped after a failure",
    labels: ["outcome"],
  });
  const counted = (isCompromised: boolean): boolean => {
    checks.inc({ outcome: isCompromised ? "compromised" : "clean" });
    return isCompromised;
  };
  if (source === "off") return { includes: async () => false, close: async () => {} };
  if (source === "local") {
    let list: ReturnType<typeof readCommonPasswords> | undefined;
    return {
      includes: async (password) => counted((await (list ??= readCommonPasswords()))(password)),
      close: async () => {},
    };
  }
  const outbound = createOutbound({ ...outboundOptions, deadlineMilliseconds });
  let pausedUntil = 0;
  return {
    includes: async (password) => {
      if (clock() < pausedUntil) {
        checks.inc({ outcome: "skipped" });
        return false;
      }
      try {
        return counted(await findInService(outbound, url, password));
      } catch (error) {
        pausedUntil = clock() + pauseMilliseconds;
        checks.inc({ outcome: "failed" });
        logger.warn(
          { err: error },
          "failed to compare a password with leaked ones, accepted the password",
        );
        return false;
      }
    },
    close: () => outbound.close(),
  };
};
