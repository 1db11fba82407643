/** Encodings, the one with the best compression first. */
export const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

const isRefused = (weight: string | undefined): boolean =>
  weight !== undefined && Number(weight.trim().replace(/^q=/i, "")) === 0;

/** Returns the best available encoding that an Accept-Encoding header allows. Undefined means uncompressed. */
export const chooseEncoding = (
  acceptEncoding: string | undefined,
  there: (encoding: Encoding) => boolean,
): Encoding | undefined => {
  const accepted = new Set(
    (acceptEncoding ?? "").split(",").flatMap((item) => {
      const [name = "", weight] = item.split(";");
      return isRefused(weight) ? [] : [name.trim().toLowerCase()];
    }),
  );
  return encodings.find((encoding) => accepted.has(encoding) && there(encoding));
};
