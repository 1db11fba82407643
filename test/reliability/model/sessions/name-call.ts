import type { Device } from "./devices.ts";
import type { Picked } from "./picked.ts";
import type { SessionCall } from "./truth.ts";

/** Data that calls choose from: all sessions, and the current passwords as far as known. */
export interface Known {
  devices: ReadonlyMap<string, Device>;
  passwords: ReadonlyMap<string, number>;
}

/** Replaces random picks of a call by names. */
export const nameCall = ({ devices, passwords }: Known, one: Picked, id: number): SessionCall => {
  const { kind, person, isRight, isRemembered, endsOthers, to } = one;
  const names = [...devices.keys()];
  const last = (which: number) => names.at(-1 - (which % names.length)) ?? "";
  const [by, session] = [last(one.by), last(one.which)];
  const passwordOf = (who: string | undefined) =>
    isRight ? (passwords.get(who ?? "") ?? 0) : one.password;
  const own = passwordOf(devices.get(by)?.person);
  switch (kind) {
    case "sign-in":
      return { kind, session: `s${id}`, person, password: passwordOf(person), isRemembered };
    case "look":
      return { kind, session };
    case "revoke":
      return { kind, by, session };
    case "change-password":
      return { kind, by, session: `s${id}`, from: own, to, endsOthers };
    case "delete-user":
      return { kind, by, password: own };
    case "rename":
    case "revoke-others":
    case "revoke-all":
    case "sign-out":
      return { kind, by };
    default:
      return { kind, person };
  }
};
