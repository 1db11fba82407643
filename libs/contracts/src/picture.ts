import { z } from "zod";
import { stepUps } from "./step-up.ts";

/** The contents of a picture as base64. The service checks size and type, to refuse each with an error of its own. */
export const pictureText = z.base64().max(131_072);

/** The errors of an operation that takes a picture. */
export const pictureErrors = ["PICTURE_TOO_LARGE", "PICTURE_TYPE_NOT_SUPPORTED"] as const;

/** Members common to the operations that serve pictures. The address holds a hash, so a picture never changes. */
export const servesPicture = {
  exposure: "public",
  rateClass: "file",
  method: "GET",
  params: z.object({ hash: z.string().regex(/^[\w-]{43}$/) }),
  reply: z.string().meta({ contentType: "image/*", format: "binary" }),
  errors: ["NOT_FOUND"],
  access: "anyone",
  stepUp: stepUps.noSession,
  repeatable: true,
  servesFile: true,
} as const;
