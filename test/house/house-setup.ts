import { buildHouse } from "./build-house.ts";
import { houseVariable } from "./house-under-test.ts";

let remove: (() => Promise<void>) | undefined;

/** Before the tests that run processes: builds what these run, once. */
export const setup = async (): Promise<void> => {
  const house = await buildHouse();
  remove = house.remove;
  process.env[houseVariable] = house.folder;
};

/** After them. */
export const teardown = async (): Promise<void> => {
  await remove?.();
};
