import { z } from "zod";

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
export type RegistrationResponse = z.output<typeof registrationResponse>;

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
export type ClientData = z.output<typeof clientData>;

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
