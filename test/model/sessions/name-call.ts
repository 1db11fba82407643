import type { Device } from "./devices.ts";
import type { Picked } from "./picked.ts";
import type { SessionCall } from "./truth.ts";

/** What calls choose by: the sessions that were, and which password is the right one as far as is known. */
export interface Known {
  devices: ReadonlyMap<string, Device>;
  passwords: ReadonlyMap<string, number>;
}

/** A call with names in place of what was picked by chance. */
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
