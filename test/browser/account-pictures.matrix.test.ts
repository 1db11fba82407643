import { pictureBytesMax } from "@latchkey/contracts";
import { expectNoLeaks } from "@latchkey/testkit";
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { addMember, createOrganization, organizationConfig } from "../harness/organizations.ts";
import { signUp } from "../harness/users.ts";
import { lookWideAndNarrow } from "./look-at.ts";
import { matrixTest } from "../harness/matrix.ts";
import { webTests } from "./web-tests.ts";
import { signIn } from "./web-users.ts";

expectNoLeaks("file");

const { system, openPage, accountUrl } = webTests({ config: organizationConfig() });

/** Returns a PNG of noise, which is far over the limit until it is shrunk. */
const noise = async (page: Page, width: number, height: number) => {
  const base64 = await page.evaluate(
    ([w, h]) => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [w, h];
      const context = canvas.getContext("2d");
      const pixels = context?.createImageData(w, h);
      pixels?.data.forEach((_, index, data) => {
        data[index] = index % 4 === 3 ? 255 : Math.floor(Math.random() * 256);
      });
      if (pixels) context?.putImageData(pixels, 0, 0);
      return canvas.toDataURL("image/png").split(",")[1] ?? "";
    },
    [width, height] as const,
  );
  return Buffer.from(base64, "base64");
};

const chooseFile = async (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) => {
  const choosing = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Upload picture" }).click();
  await (await choosing).setFiles(file);
};

/** Waits until the page shows a picture, and returns its size. */
const shownSize = async (page: Page): Promise<number[]> => {
  const picture = page.locator("main img").first();
  await expect
    .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);
  return picture.evaluate((image) => {
    const { naturalWidth, naturalHeight } = image as HTMLImageElement;
    return [naturalWidth, naturalHeight];
  });
};

const servedType = async (page: Page) => {
  const address = await page.locator("main img").first().getAttribute("src");
  const answer = await fetch(address ?? "");
  const { length } = Buffer.from(await answer.arrayBuffer());
  expect(length).toBeLessThanOrEqual(pictureBytesMax);
  return answer.headers.get("content-type");
};

test("a user uploads a large picture, which is cut to a small square, and removes it", async () => {
  const user = await signUp(system());
  const page = await openPage();
  await signIn(page, system(), user);
  await page.goto(accountUrl("/profile"));
  await page.getByRole("button", { name: "Upload picture" }).waitFor();
  const picture = { name: "me.png", mimeType: "image/png" };
  await chooseFile(page, { ...picture, buffer: await noise(page, 900, 600) });
  await page.getByText("Picture saved.").waitFor();
  const [width, height] = await shownSize(page);
  expect(width).toBe(height);
  expect(await servedType(page)).toBe("image/webp");
  await lookWideAndNarrow(page, "account-picture");

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  await chooseFile(page, { ...picture, buffer: svg });
  await page.getByText("This file is not a picture that the browser can read.").waitFor();
  await page.getByRole("button", { name: "Remove picture" }).click();
  await page.getByText("Picture removed.").waitFor();
  await expect.poll(() => page.locator("main img").count()).toBe(0);
  const upload = page.getByRole("button", { name: "Upload picture" });
  await expect.poll(() => upload.evaluate((button) => button.matches(":focus"))).toBe(true);
});

matrixTest(
  "an owner uploads the picture of an organization, which members see as a whole",
  async () => {
    const [owner, member] = [await signUp(system()), await signUp(system())];
    const { id: organizationId } = await createOrganization(owner);
    await addMember(system(), member, { organizationId });
    const page = await openPage();
    await signIn(page, system(), owner);
    await page.goto(accountUrl(`/organizations/${organizationId}?tab=settings`));
    await page.getByRole("button", { name: "Upload picture" }).waitFor();
    const buffer = await noise(page, 600, 300);
    await chooseFile(page, { name: "logo.png", mimeType: "image/png", buffer });
    await page.getByText("Picture saved.").waitFor();
    const [width = 0, height = 0] = await shownSize(page);
    expect(width).toBe(height * 2);
    await lookWideAndNarrow(page, "account-organization-picture");

    const other = await openPage();
    await signIn(other, system(), member);
    await other.goto(accountUrl("/organizations"));
    expect(await shownSize(other)).toEqual([width, height]);
  },
);
