/** A verdict is a few kilobytes, including the metadata. */
const bytesMax = 1_048_576;

/** Returns the body of a response. Throws if it is larger than any verdict, or ends too early. */
export const readText = async ({ body }: Response): Promise<string> => {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > bytesMax) {
      await reader.cancel();
      throw new Error(`more than ${bytesMax} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
};
