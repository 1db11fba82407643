/** The browser cannot read a file as a picture, or cannot write it as a small one. */
export class UnreadablePictureError extends Error {
  override readonly name = "UnreadablePictureError";
}

/** Widths in pixels and qualities, from the best picture to the smallest. */
const attempts = [256, 192, 128, 96, 64].flatMap((width) =>
  [0.9, 0.75, 0.6].map((quality) => ({ width, quality })),
);

type Fit = "cover" | "contain";

/** Draws a picture in a square, or so that its longer side has this width. */
const draw = (picture: ImageBitmap, width: number, fit: Fit): HTMLCanvasElement => {
  const { width: ownWidth, height: ownHeight } = picture;
  const side = fit === "cover" ? Math.min(ownWidth, ownHeight) : Math.max(ownWidth, ownHeight);
  const scale = Math.min(1, width / side);
  const canvas = document.createElement("canvas");
  const [drawnWidth, drawnHeight] = [ownWidth * scale, ownHeight * scale];
  canvas.width = Math.max(1, Math.round(fit === "cover" ? side * scale : drawnWidth));
  canvas.height = Math.max(1, Math.round(fit === "cover" ? side * scale : drawnHeight));
  const [x, y] = [(canvas.width - drawnWidth) / 2, (canvas.height - drawnHeight) / 2];
  canvas.getContext("2d")?.drawImage(picture, x, y, drawnWidth, drawnHeight);
  return canvas;
};

const encode = (canvas: HTMLCanvasElement, type: string, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, quality));

/** Encodes as WebP, or as JPEG in browsers that cannot write WebP and would return a large PNG. */
const encodeSmall = async (canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> => {
  const webp = await encode(canvas, "image/webp", quality);
  return webp?.type === "image/webp" ? webp : encode(canvas, "image/jpeg", quality);
};

/** Returns the contents of a small file as base64. */
const toBase64 = async (file: Blob): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(""));
};

/**
 * Returns a picture as base64, in the best of a few sizes that fits into a number of bytes. Positions and other facts that cameras write
 * into files are lost. Rejects with `UnreadablePictureError`.
 */
export const shrinkPicture = async (
  file: Blob,
  { bytesMax, fit }: { bytesMax: number; fit: Fit },
): Promise<string> => {
  const picture = await createImageBitmap(file).catch((error: unknown) => {
    throw new UnreadablePictureError("the file is not a picture", { cause: error });
  });
  try {
    for (const { width, quality } of attempts) {
      const encoded = await encodeSmall(draw(picture, width, fit), quality);
      if (encoded && encoded.size <= bytesMax) return await toBase64(encoded);
    }
  } finally {
    picture.close();
  }
  throw new UnreadablePictureError("no attempt was small enough");
};
