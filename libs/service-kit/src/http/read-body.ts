import { type Operation, WireError } from "@latchkey/contracts";

const invalid = () => new WireError("VALIDATION_ERROR");

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw invalid();
  }
};

/** More fields than any operation has; reading a megabyte of them would hold up everybody for seconds. */
const fieldsMax = 1_000;

/** Refuses a form with more than `fieldsMax` of its separators, before it is parsed. */
const refuseBomb = (body: Buffer, separator: string): void => {
  let fields = 1;
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + 1))
    if (++fields > fieldsMax) throw invalid();
};

const parseForm = (body: Buffer): unknown => {
  refuseBomb(body, "&");
  return Object.fromEntries(new URLSearchParams(body.toString("utf8")));
};

const parseMultipart = async (contentType: string, body: Buffer): Promise<unknown> => {
  refuseBomb(body, "\r\n--");
  try {
    const response = new Response(new Uint8Array(body), {
      headers: { "content-type": contentType },
    });
    return Object.fromEntries(await response.formData());
  } catch {
    throw invalid();
  }
};

/**
 * A request's body as a value, by its content type. The gateway checks redirect URLs on what this gives and the owner
 * acts on what this gives, so no media type or repeated key can show each of them something else.
 * A form with parts is read asynchronously: await the result. Anything but JSON and forms is no input of ours, nor is a
 * form where the operation is `jsonOnly`: `VALIDATION_ERROR`.
 */
export const readBody = (
  contentType: string | undefined,
  body: Buffer | undefined,
  { jsonOnly = false }: Pick<Operation, "jsonOnly"> = {},
): unknown => {
  if (!body || body.length === 0) return undefined;
  const type = contentType?.toLowerCase() ?? "";
  if (type.startsWith("application/json")) return parseJson(body);
  if (jsonOnly) throw invalid();
  if (type.startsWith("application/x-www-form-urlencoded")) return parseForm(body);
  if (type.startsWith("multipart/form-data") && contentType)
    return parseMultipart(contentType, body);
  throw invalid();
};
