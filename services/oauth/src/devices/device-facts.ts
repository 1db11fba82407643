import type { Caller } from "@latchkey/contracts";
import { hmacSha256, randomToken, seal, type SecretRing, unseal } from "@latchkey/crypto";
import { addressKey } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";
import type { DeviceRequestRow } from "../device-requests/queries.ts";
import type { DeviceFacts } from "../engine/work.ts";

/** Codes of 40 bits are too short for a hash. So their MACs differ with each installation. */
const purpose = "device request";

const userCodeLength = 8;
const groupLength = 4;

/** Returns a code as a user reads it. */
export const newUserCode = (): string => {
  const code = randomToken(userCodeLength, "readable");
  return `${code.slice(0, groupLength)}-${code.slice(groupLength)}`;
};

/** Returns the MACs of a text by each secret, the present one first. */
const macsOf = (ring: SecretRing, text: string): [string, ...string[]] => {
  const [first, ...rest] = ring.derive(purpose);
  const macOf = (key: typeof first) => hmacSha256(key, text, "base64url");
  return [macOf(first), ...rest.map(macOf)];
};

/** Case, blanks and dashes of a code do not count. */
export const userCodeMacs = (ring: SecretRing, userCode: string): [string, ...string[]] =>
  macsOf(ring, `user code ${userCode.replaceAll(/[\s-]/g, "").toUpperCase()}`);

const addressMac = (ring: SecretRing, { address }: Pick<Caller, "address">): string =>
  macsOf(ring, `address ${addressKey(address || undefined)}`)[0];

/** Returns whose tries a guess uses up: those of the user, which nobody else can exhaust, or of the address of somebody signed out. */
export const guesserOf = (ring: SecretRing, caller: Caller, userId: string | undefined): string =>
  userId === undefined ? addressMac(ring, caller) : macsOf(ring, `user ${userId}`)[0];

/** The facts about a device that its user sees. */
interface Device {
  address: string;
  userAgent: string;
  name?: string | undefined;
}

/** Returns the columns of a request that the provider does not read. */
export const factsOf = (
  { config, ring }: Pick<Deps, "config" | "ring">,
  caller: Caller,
  { userCode, name }: { userCode: string; name: string | undefined },
): DeviceFacts => {
  const device: Device = { address: caller.address, userAgent: caller.userAgent, name };
  const [userCodeMac] = userCodeMacs(ring, userCode);
  return {
    userCodeMac,
    addressMac: addressMac(ring, caller),
    deviceSealed: seal(ring, { purpose, subject: userCodeMac }, JSON.stringify(device)),
    intervalSeconds: config.deviceAuthorization.interval,
  };
};

/** Returns the facts about a device. They are unknown after the secret that sealed them is gone. */
export const deviceOf = (
  { ring }: Pick<Deps, "ring">,
  { deviceSealed, userCodeMac }: Pick<DeviceRequestRow, "deviceSealed" | "userCodeMac">,
): Device => {
  const text = unseal(ring, { purpose, subject: userCodeMac }, deviceSealed);
  return text === undefined ? { address: "", userAgent: "" } : (JSON.parse(text) as Device); // written above
};
