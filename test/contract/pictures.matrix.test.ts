import { operations, pictureBytesMax } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { describe, expect, test } from "vitest";
import { matrix } from "../harness/matrix.ts";
import { callOperation, type Client, expectOk } from "../harness/operations.ts";
import {
  addMember,
  createOrganization,
  organizationConfig,
  organizationOperations,
  type OrganizationView,
} from "../harness/organizations.ts";
import { tinyPicture, webpOf } from "../harness/pictures.ts";
import { race } from "../harness/race.ts";
import { errorResponse } from "../harness/responses.ts";
import { useSystem } from "../harness/use-system.ts";
import { newClient, password, readSession, signUp } from "../harness/users.ts";

expectNoLeaks("file");

const { uploadPicture, updateUser } = operations.identity;
const { uploadOrganizationPicture, updateOrganization, deleteOrganization } =
  organizationOperations;
const jpeg = Buffer.from(
  "\xff\xd8\xff\xe0\0\x04??\xff\xc0\0\x0b\x08\0\x10\0\x10 and so on",
  "latin1",
).toString("base64");

/** Browsers run scripts in these, or they hold nothing that a page shows. */
const refusedTypes = {
  "an SVG": '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
  "a page": "<!doctype html><script>alert(1)</script>",
  "a GIF": "GIF89a\x01\x00\x01\x00",
  "a sound in the frame of a WebP": "RIFF\x24\x00\x00\x00WAVEfmt ",
  "a PNG after a space": ` ${Buffer.from(tinyPicture, "base64").toString("latin1")}`,
  "a PNG without a size": "\x89PNG\r\n\x1a\n",
  nothing: "",
};
const tooLarge = errorResponse(413, "PICTURE_TOO_LARGE", "Picture too large");
const notSupported = errorResponse(415, "PICTURE_TYPE_NOT_SUPPORTED", "Picture type not supported");

describe.each(matrix("postgres", "redis"))("with sessions in %s", (stores) => {
  const { system, rows } = useSystem({
    stores,
    config: organizationConfig(
      {},
      { user: { deleteUser: { enabled: true, confirmByMail: false } } },
    ),
  });

  const upload = async (client: Client, picture: string): Promise<string> => {
    const { image } = await expectOk(
      callOperation<{ image: string }>(client, uploadPicture, { body: { picture } }),
    );
    return image;
  };
  const imageOf = async ({ browser }: Client) => (await readSession(browser))?.user["image"];
  const statusOf = async (address: string) => (await fetch(address)).status;
  const picturesOf = (id: string) =>
    rows.query("select hash from identity.picture where owner_id = $1", id);

  test.each([
    ["image/png", tinyPicture],
    ["image/jpeg", jpeg],
    ["image/webp", webpOf(pictureBytesMax)],
  ])("serves an uploaded %s to everyone, and to pages of any origin", async (type, picture) => {
    const user = await signUp(system);
    const image = await upload(user, picture);
    expect(await imageOf(user)).toBe(image);
    expect(image.startsWith(`${system.url}/picture/`)).toBe(true);
    // The cookies and the key of a reader must not reach a shared cache.
    const answer = await fetch(image, {
      headers: {
        cookie: [...user.browser.cookies].map((pair) => pair.join("=")).join("; "),
        "x-api-key": "any",
      },
    });
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": type,
      "cache-control": "public, max-age=86400, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(Buffer.from(await answer.arrayBuffer()).toString("base64")).toBe(picture);
    expect((await fetch(image, { method: "HEAD" })).status).toBe(200);
  });

  test.each(Object.entries(refusedTypes))("refuses %s", async (_, contents) => {
    const user = await signUp(system);
    const picture = Buffer.from(contents, "latin1").toString("base64");
    const answer = await callOperation(user, uploadPicture, { body: { picture } });
    expect(answer).toEqual(notSupported);
    expect(await imageOf(user)).toBeNull();
  });

  test("refuses a picture over the limit, and text that is no base64", async () => {
    const user = await signUp(system);
    const send = (picture: string) => callOperation(user, uploadPicture, { body: { picture } });
    expect(await send(webpOf(pictureBytesMax + 1))).toEqual(tooLarge);
    for (const picture of ["a*b", "A".repeat(131_076)])
      expect(await send(picture)).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_ERROR" },
      });
    expect(await picturesOf(user.user.id)).toEqual([]);
  });

  /** Attack: a picture of a few bytes fills the memory of every browser that shows it. */
  test("refuses a small file with too many pixels", async () => {
    const user = await signUp(system);
    const wide = Buffer.from(tinyPicture, "base64");
    wide.writeUInt32BE(1_025, 16);
    const body = { picture: wide.toString("base64") };
    expect(await callOperation(user, uploadPicture, { body })).toEqual(tooLarge);
    expect(await picturesOf(user.user.id)).toEqual([]);
  });

  test("requires a session", async () => {
    const body = { picture: tinyPicture };
    expect(await callOperation(newClient(system), uploadPicture, { body })).toMatchObject({
      status: 401,
    });
  });

  test("a picture gets an address of its own for each user, and an unknown address is not stored by caches", async () => {
    const [one, other] = [await signUp(system), await signUp(system)];
    const image = await upload(one, tinyPicture);
    expect(await upload(one, tinyPicture)).toBe(image);
    expect(await upload(other, tinyPicture)).not.toBe(image);
    const unknown = await fetch(`${system.url}/picture/${"a".repeat(43)}`);
    expect([unknown.status, unknown.headers.get("cache-control")]).toEqual([404, "no-store"]);
    expect(await statusOf(`${system.url}/picture/short`)).toBe(400);
  });

  test.each([
    ["another picture", async (user: Client) => upload(user, jpeg)],
    [
      "another address",
      async (user: Client) =>
        expectOk(callOperation(user, updateUser, { body: { image: "https://example.com/a.png" } })),
    ],
    [
      "no picture",
      async (user: Client) => expectOk(callOperation(user, updateUser, { body: { image: null } })),
    ],
    [
      "the deletion of the user",
      async (user: Client) =>
        expectOk(callOperation(user, operations.identity.deleteUser, { body: { password } })),
    ],
  ])("%s removes the former picture", async (_, change) => {
    const user = await signUp(system);
    const image = await upload(user, tinyPicture);
    expect(await statusOf(image)).toBe(200);
    await change(user);
    expect(await statusOf(image)).toBe(404);
  });

  test("a change of the name keeps the picture", async () => {
    const user = await signUp(system);
    const image = await upload(user, tinyPicture);
    await expectOk(callOperation(user, updateUser, { body: { name: "Grace", image } }));
    expect(await statusOf(image)).toBe(200);
  });

  test("of concurrent uploads and changes, the image of the user and the only picture agree", async () => {
    const user = await signUp(system);
    await race((index) =>
      index % 4 === 3
        ? callOperation(user, updateUser, { body: { image: null } })
        : callOperation(user, uploadPicture, { body: { picture: webpOf(100, index) } }),
    );
    const image = (
      await rows.query(`select image from identity."user" where id = $1`, user.user.id)
    )[0]?.["image"];
    const stored = await picturesOf(user.user.id);
    expect(stored.map(({ hash }) => `${system.url}/picture/${String(hash)}`)).toEqual(
      image === null ? [] : [image],
    );
  });

  test("the upload is recorded as a change of the profile, without the address", async () => {
    const user = await signUp(system);
    await upload(user, tinyPicture);
    const entries = await rows.query(
      "select action, actor_id, after from identity.audit where subject_id = $1 and action = 'user.updated'",
      user.user.id,
    );
    expect(entries).toEqual([
      { action: "user.updated", actor_id: user.user.id, after: { image: "changed" } },
    ]);
  });

  test("an organization has a picture, which its members who may update it replace and remove", async () => {
    const owner = await signUp(system);
    const { id: organizationId } = await createOrganization(owner);
    const member = await signUp(system);
    await addMember(system, member, { organizationId });
    const uploadLogo = (by: Client, picture: string) =>
      callOperation<OrganizationView>(by, uploadOrganizationPicture, {
        body: { organizationId, picture },
      });
    const { logo } = await expectOk(uploadLogo(owner, tinyPicture));
    expect(logo).toContain(`${system.url}/organization/picture/`);
    expect(await statusOf(logo ?? "")).toBe(200);
    expect((await uploadLogo(member, jpeg)).status).toBe(403);
    expect(await uploadLogo(owner, webpOf(pictureBytesMax + 1))).toEqual(tooLarge);
    expect(await uploadLogo(owner, "")).toEqual(notSupported);
    const { logo: second } = await expectOk(uploadLogo(owner, jpeg));
    expect([await statusOf(logo ?? ""), await statusOf(second ?? "")]).toEqual([404, 200]);
    const removed = await expectOk(
      callOperation<OrganizationView>(owner, updateOrganization, {
        body: { organizationId, data: { logo: null } },
      }),
    );
    expect([removed.logo, await statusOf(second ?? "")]).toEqual([null, 404]);
    const { logo: last } = await expectOk(uploadLogo(owner, jpeg));
    await expectOk(callOperation(owner, deleteOrganization, { body: { organizationId } }));
    expect(await statusOf(last ?? "")).toBe(404);
  });
});
