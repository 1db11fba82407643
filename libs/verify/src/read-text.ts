/** A verdict is a few kilobytes, its metadata included. */
const bytesMax = 1_048_576;

/** The body of an answer. Throws where it is larger than any of ours, or ends too early. */
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
