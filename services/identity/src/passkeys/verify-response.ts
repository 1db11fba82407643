import { z } from "zod";
import { WireError } from "@latchkey/contracts";
import type { RelyingParty } from "@latchkey/service-kit/config";
import type { Deps } from "../deps.ts";
import type { IdentityConfig } from "../config.ts";
import type { PasskeyRow } from "../rows/passkeys.ts";

export const credentialIdBytesMax = 1023;
const base64url = z.base64url();
const credentialId = base64url.refine(
  (text) => text !== "" && Buffer.byteLength(text, "base64url") <= credentialIdBytesMax,
);

const credential = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).optional().catch(undefined),
  // Old clients leave them out. Nothing is decided by them.
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
};

const transportsMax = 16;
const transportLengthMax = 32;

/** The response of an authenticator that has created a passkey. Unknown members are dropped. */
export const registrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    /** Unknown ones are kept, as WebAuthn asks for, but nothing that could break the stored list. */
    transports: z
      .array(
        z
          .string()
          .regex(/^[a-z-]+$/)
          .max(transportLengthMax),
      )
      .max(transportsMax)
      .optional(),
  }),
});
type RegistrationResponse = z.output<typeof registrationResponse>;

/** The response of an authenticator that has used a passkey. Unknown members are dropped. */
export const authenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
});
export type AuthenticationResponse = z.output<typeof authenticationResponse>;

/** The members of `CollectedClientData` that decide something here. */
const clientData = z.object({
  challenge: z.string(),
  crossOrigin: z.unknown().optional(),
  topOrigin: z.unknown().optional(),
});
type ClientData = z.output<typeof clientData>;

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Returns the client data of a response of either ceremony, or undefined if it is unreadable. */
export const readClientData = (response: unknown): ClientData | undefined => {
  const envelope = z.object({ response: z.object({ clientDataJSON: base64url }) });
  const { data } = envelope.safeParse(response);
  if (!data) return undefined;
  const text = Buffer.from(data.response.clientDataJSON, "base64url").toString("utf8");
  return clientData.safeParse(parseJson(text)).data;
};

/**
 * Returns whether the ceremony ran in a frame of another origin. The library looks only if the browser also names the top origin, which
 * not every browser does.
 */
export const isCrossOrigin = ({ crossOrigin, topOrigin }: ClientData): boolean =>
  (crossOrigin !== undefined && crossOrigin !== false) || topOrigin !== undefined;

/** The algorithms of passkeys as COSE numbers, in order of preference: ES256, EdDSA and RS256. */
export const algorithms = [-7, -8, -257];

/** Returns the relying party. Throws `NOT_FOUND` while passkeys are off, as the gateway does. */
export const requireRelyingParty = ({ config }: Pick<Deps, "config">): RelyingParty => {
  const { relyingParty } = config.passkey;
  if (!relyingParty) throw new WireError("NOT_FOUND");
  return relyingParty;
};

/** Logs once at start why passkeys are off, unless the options turn them off. */
export const reportPasskeysOff = ({ config, logger }: Pick<Deps, "config" | "logger">): void => {
  const { offBecause } = config.passkey;
  if (offBecause !== undefined) logger.warn({ reason: offBecause }, "passkeys are off");
};

/** Loads the library at the first ceremony, because it takes about 30 MB and 0.2 s. */
const loadLibrary = () => import("@simplewebauthn/server");
const loadHelpers = () => import("@simplewebauthn/server/helpers");

/** The values that a valid response contains. */
interface Expectation {
  challenge: string;
  relyingParty: RelyingParty;
  requiresUserVerification: boolean;
}

export const expectationOf = (
  { authenticatorSelection }: IdentityConfig["passkey"],
  relyingParty: RelyingParty,
  challenge: string,
): Expectation => ({
  challenge,
  relyingParty,
  requiresUserVerification: authenticatorSelection.userVerification === "required",
});

/** A created passkey, as its row holds it. */
export type NewPasskey = Pick<
  PasskeyRow,
  | "aaguid"
  | "backedUp"
  | "counter"
  | "credentialId"
  | "deviceType"
  | "publicKey"
  | "transports"
  | "userVerified"
>;

/** The verified content of an assertion. */
export interface Assertion extends Pick<PasskeyRow, "backedUp" | "counter" | "deviceType"> {
  userVerified: boolean;
}

/**
 * Returns the attestation object without its statement. No attestation was requested, so the statement decides nothing. Verifying one
 * would parse certificates of the client, and fetch the revocation lists that they name.
 */
const withoutStatement = async (attestationObject: string): Promise<string> => {
  const { decodeAttestationObject, isoCBOR } = await loadHelpers();
  const decoded = decodeAttestationObject(Buffer.from(attestationObject, "base64url"));
  const plain = new Map<string, unknown>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", decoded.get("authData")],
  ]);
  const bytes = isoCBOR.encode(plain as Parameters<typeof isoCBOR.encode>[0]);
  return Buffer.from(bytes).toString("base64url");
};

/** The library throws errors of many kinds for bad input. None of them reaches the client. */
const orUndefined = async <T>(verify: () => Promise<T | undefined>): Promise<T | undefined> => {
  try {
    return await verify();
  } catch {
    return undefined;
  }
};

const expected = ({ challenge, relyingParty, requiresUserVerification }: Expectation) => ({
  expectedChallenge: challenge,
  expectedOrigin: [...relyingParty.origins],
  expectedRPID: relyingParty.id,
  requireUserVerification: requiresUserVerification,
});

/** Returns the passkey that a response has created, or undefined if the response is not valid. */
export const verifyCreation = async (
  { response, ...credential }: RegistrationResponse,
  expectation: Expectation,
): Promise<NewPasskey | undefined> => {
  const { verifyRegistrationResponse } = await loadLibrary();
  return orUndefined(async () => {
    const { clientDataJSON, transports = [] } = response;
    const attestationObject = await withoutStatement(response.attestationObject);
    const { registrationInfo: info } = await verifyRegistrationResponse({
      ...expected(expectation),
      response: { ...bare(credential), response: { clientDataJSON, attestationObject } },
      supportedAlgorithmIDs: algorithms,
    });
    if (!info || info.credential.id !== credential.id) return undefined;
    return {
      credentialId: Buffer.from(info.credential.id, "base64url"),
      publicKey: Buffer.from(info.credential.publicKey),
      counter: info.credential.counter,
      deviceType: info.credentialDeviceType,
      backedUp: info.credentialBackedUp,
      transports: transports.join(","),
      aaguid: info.aaguid,
      userVerified: info.userVerified,
    };
  });
};

const bare = ({ id, rawId, type }: Omit<RegistrationResponse, "response">) => ({
  id,
  rawId,
  type,
  clientExtensionResults: {},
});

/**
 * Returns the content of a response that a passkey has signed, or undefined if the response is not valid. The counter is left to the
 * statement that stores it, which also decides between concurrent responses.
 */
export const verifyAssertion = async (
  { response, ...credential }: AuthenticationResponse,
  { publicKey }: Pick<PasskeyRow, "publicKey">,
  expectation: Expectation,
): Promise<Assertion | undefined> => {
  const { verifyAuthenticationResponse } = await loadLibrary();
  return orUndefined(async () => {
    const { clientDataJSON, authenticatorData, signature } = response;
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      ...expected(expectation),
      response: {
        ...bare(credential),
        response: { clientDataJSON, authenticatorData, signature },
      },
      credential: { id: credential.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    if (!verified) return undefined;
    return {
      counter: info.newCounter,
      deviceType: info.credentialDeviceType,
      backedUp: info.credentialBackedUp,
      userVerified: info.userVerified,
    };
  });
};
