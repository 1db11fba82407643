import { type Operation, WireError } from "@latchkey/contracts";

const invalid = () => new WireError("VALIDATION_ERROR");

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw invalid();
  }
};

/** More fields than any operation has. Parsing a megabyte of fields would block the process for seconds. */
const fieldsMax = 1_000;

/** Rejects a form with more than `fieldsMax` separators before it is parsed. */
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
 * Parses a request's body by its content type. The gateway validates redirect URLs on this result and the owner acts on it, so
 * no media type or repeated key can make them see different values. A multipart form is parsed asynchronously, so await the
 * result. Throws `VALIDATION_ERROR` for anything but JSON and forms, and for a form if the operation is `jsonOnly`.
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

/** Returns the parsed body of a request. If its operation takes no body, an unreadable one counts as absent. */
export const readSentBody = async (
  declared: Pick<Operation, "body" | "jsonOnly">,
  { contentType, body }: { contentType: string | undefined; body: Buffer | undefined },
): Promise<unknown> => {
  try {
    return await readBody(contentType, body, declared);
  } catch (error) {
    if (declared.body) throw error;
    return undefined;
  }
};
