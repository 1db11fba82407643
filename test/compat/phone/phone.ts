/** The functions of a phone that the SDK for Expo uses. The test that runs the SDK implements them. */
export interface Phone {
  /** Opens the app's browser until it is sent to an address of the app. */
  openAuthSession(url: string, to: string): Promise<{ type: string; url?: string }>;
}

const key = Symbol.for("latchkey.test.phone");
type Holder = { [key]?: Phone };

/** Stores the phone in the global object, because its modules are loaded separately from those of the test. */
export const holdPhone = (phone: Phone): void => {
  (globalThis as Holder)[key] = phone;
};

// The names under which the SDK imports the parts of a phone: from react-native, expo-linking, expo-web-browser, expo-network.

export const Platform = { OS: "ios" };
export const AppState = { addEventListener: () => ({ remove: () => {} }) };
export const createURL = (path: string): string => `myapp://${path}`;
export const dismissAuthSession = (): void => {};
export const addNetworkStateListener = () => ({ remove: () => {} });
export const openAuthSessionAsync: Phone["openAuthSession"] = (url, to) => {
  const phone = (globalThis as Holder)[key];
  if (!phone) throw new Error("call holdPhone before the SDK uses the phone");
  return phone.openAuthSession(url, to);
};
