/** How bytes may be packed, what packs best first. */
export const encodings = ["br", "gzip"] as const;
export type Encoding = (typeof encodings)[number];

const isRefused = (weight: string | undefined): boolean =>
  weight !== undefined && Number(weight.trim().replace(/^q=/i, "")) === 0;

/** What an Accept-Encoding takes of what there is; undefined for bytes as they are. */
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
