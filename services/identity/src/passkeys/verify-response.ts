import type { RelyingParty } from "@latchkey/service-kit";
import type { IdentityConfig } from "../config.ts";
import type { PasskeyRow } from "./queries.ts";
import { algorithms } from "./relying-party.ts";
import type { AuthenticationResponse, RegistrationResponse } from "./response.ts";

/** Loads the library at the first ceremony, because it takes about 30 MB and 0.2 s. */
const loadLibrary = () => import("@simplewebauthn/server");
const loadHelpers = () => import("@simplewebauthn/server/helpers");

/** The values that a valid response contains. */
export interface Expectation {
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
