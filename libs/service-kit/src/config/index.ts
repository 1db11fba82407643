export type { BrandingFile, BrandingFiles } from "./branding-files.ts";
export { ConfigurationError } from "./configuration-error.ts";
export { browserPrefix } from "./check-cookies.ts";
export { overlayEnvironment } from "./environment-overlay.ts";
export { loadConfigFile } from "./load-config-file.ts";
export type { Environment } from "./environment.ts";
export { optionVariables } from "./option-variables.ts";
export { type PasskeySource, readPasskeySettings, type RelyingParty } from "./passkey-settings.ts";
export { findMisspelled, processVariables } from "./process-variables.ts";
export { type EnvironmentTexts, readSecretFiles } from "./read-secret-files.ts";
export {
  checkSettings,
  defaultSecret,
  type Given,
  readSettings,
  type Settings,
} from "./settings.ts";
export { basePathOf, settingsOf } from "./settings-of.ts";
export { schemasOf } from "./schemas-of.ts";
