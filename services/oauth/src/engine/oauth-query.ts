import { constantTimeEqual, hmacSha256, type SecretRing } from "@latchkey/crypto";

const purpose = "oauth query";

const sortedText = (params: URLSearchParams): string => {
  const copy = new URLSearchParams(params);
  copy.sort();
  return copy.toString();
};

/** Returns the parameters of a request. Only `resource` may have several values. */
export const paramTexts = (params: Readonly<Record<string, unknown>>): [string, string][] =>
  Object.entries(params).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((text) => typeof text === "string")
      .map((text): [string, string] => [name, text]),
  );

/**
 * Returns the query of a page: the authorization request, the interaction that the page answers, and a signature. `ba_param` names the
 * signed parameters, because the client plugin of better-auth sends exactly those, and `sig`.
 */
export const signQuery = (
  ring: SecretRing,
  { interactionId, params }: { interactionId: string; params: Readonly<Record<string, unknown>> },
  { now, lifetimeSeconds }: { now: number; lifetimeSeconds: number },
): string => {
  const query = new URLSearchParams(paramTexts(params));
  query.set("interaction", interactionId);
  query.set("exp", String(Math.floor(now / 1_000) + lifetimeSeconds));
  query.set("ba_iat", String(now));
  for (const name of new Set([...query.keys(), "ba_param"])) query.append("ba_param", name);
  query.set("sig", hmacSha256(ring.derive(purpose)[0], sortedText(query), "base64"));
  return query.toString();
};

/** Returns the parameters of a signed query. Undefined if the signature is not ours or has expired. Other parameters are ignored. */
export const readQuery = (
  ring: SecretRing,
  text: string,
  now: number,
): { interactionId: string; params: URLSearchParams } | undefined => {
  const sent = new URLSearchParams(text);
  const names = new Set(sent.getAll("ba_param"));
  const params = new URLSearchParams([...sent].filter(([name]) => names.has(name)));
  const signed = sortedText(params);
  const sig = sent.get("sig") ?? "";
  const isOurs = ring
    .derive(purpose)
    .some((key) => constantTimeEqual(hmacSha256(key, signed, "base64"), sig));
  if (!isOurs) return undefined;
  const interactionId = params.get("interaction");
  if (interactionId === null || Number(params.get("exp")) * 1_000 <= now) return undefined;
  return { interactionId, params };
};
