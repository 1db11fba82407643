export { LatchkeyError } from "./client/latchkey-error.ts";
export {
  OrganizationSwitcher,
  type OrganizationSwitcherProps,
} from "./components/organization-switcher.tsx";
export { SignInButton, type SignInButtonProps } from "./components/sign-in-button.tsx";
export {
  SignedIn,
  type SignedInProps,
  SignedOut,
  type SignedOutProps,
} from "./components/signed-in.tsx";
export { UserButton, type UserButtonProps } from "./components/user-button.tsx";
export { LatchkeyProvider, type LatchkeyProviderProps } from "./latchkey-provider.tsx";
export type { Organization, OrganizationsState } from "./organization/organization.ts";
export { useOrganization, type UseOrganization } from "./organization/use-organization.ts";
export type { Session, SessionState, SignedInSession, User } from "./session/session.ts";
export { useSession, type UseSession, useUser } from "./session/use-session.ts";
