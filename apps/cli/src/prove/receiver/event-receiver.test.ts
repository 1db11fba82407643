import { expect, test } from "vitest";
import { prepareReceiver } from "./event-receiver.ts";

const post = (url: string, chunks: readonly string[]): Promise<number | undefined> =>
  fetch(url, {
    method: "POST",
    body: ReadableStream.from(chunks.map((chunk) => Buffer.from(chunk))),
    duplex: "half",
  }).then(
    ({ status }) => status,
    () => undefined,
  );

/** Attack: a body without a length fills the memory of the machine that runs the command. */
test("keeps no body of more than a mebibyte, whatever its headers say", async () => {
  const prepared = prepareReceiver(undefined);
  const receiver = await prepared.open();
  const inbox = receiver.openInbox("inbox", { statuses: [204] });
  try {
    expect(await post(inbox.url, ["a", "b"])).toBe(204);
    const mebibyte = "x".repeat(1_048_576);
    expect(await post(inbox.url, [mebibyte, "x"])).toBeUndefined();
    expect(inbox.received.map(({ body }) => body)).toEqual(["ab"]);
  } finally {
    await prepared.close();
  }
});
