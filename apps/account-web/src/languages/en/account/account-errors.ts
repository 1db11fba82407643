/** Texts of refusals on the screens for signed-in users, by code. They come before the texts for everybody. */
export const accountErrors = {
  FAILED_TO_UPDATE_USER: "This could not be saved. Try again.",
  FIELD_IS_REQUIRED: "A required value is missing.",
  EMAIL_IS_THE_SAME: "This is your present email.",
  EMAIL_ALREADY_IN_USE: "This email is in use.",
  COULDNT_UPDATE_YOUR_EMAIL: "This email cannot be used. Enter another one.",
  CHANGE_EMAIL_IS_DISABLED: "The email cannot be changed here.",
  VERIFICATION_EMAIL_ISNT_ENABLED: "This email cannot be verified here. Contact support.",
  CREDENTIAL_ACCOUNT_NOT_FOUND: "You have no password.",
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: "This is your last way to sign in. Add another one first.",
  YOU_CANT_REMOVE_YOUR_LAST_WAY_IN: "This is your last way to sign in. Add another one first.",
  ACCOUNT_NOT_FOUND: "This provider is no longer connected.",
  SOCIAL_ACCOUNT_ALREADY_LINKED: "This account is connected to another user.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS:
    "You have the maximum number of passkeys. Delete one first.",
  PREVIOUSLY_REGISTERED: "This device already has a passkey for your account.",
  FAILED_TO_VERIFY_REGISTRATION: "The passkey was not accepted. Try again.",
  TOTP_ALREADY_ENABLED: "An authenticator app is already set up. Turn it off first.",
  TOTP_NOT_ENABLED: "The set-up has expired. Start again.",
  SESSION_NOT_FOUND: "This session has ended already.",
  YOU_CANNOT_REMOVE_THE_LAST_ADMIN:
    "You are the last admin, so your account cannot be deleted. Appoint another admin first.",
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION:
    "This requires a recent sign-in. Sign out, sign in again, and retry.",
  KEY_NOT_FOUND: "This key no longer exists.",
  INVALID_NAME_LENGTH: "Choose a name of another length.",
  KEY_DISABLED_EXPIRATION: "The expiry cannot be chosen here.",
  EXPIRES_IN_IS_TOO_SMALL: "Choose a later expiry.",
  EXPIRES_IN_IS_TOO_LARGE: "Choose an earlier expiry.",
  KEY_RETIRED: "This key was replaced and cannot be changed.",
  ORGANIZATION_ALREADY_EXISTS: "This short name is taken. Choose another one.",
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: "You are not allowed to create organizations.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS:
    "You have the maximum number of organizations.",
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    "The organization needs an owner. Make another member an owner first.",
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: "You cannot give this role.",
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "This person is already a member.",
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: "This email is already invited.",
  INVITATION_LIMIT_REACHED: "There are too many invitations. Cancel one, or try again later.",
  INVITATION_NOT_FOUND: "This invitation is no longer valid.",
  MEMBER_NOT_FOUND: "This person is no longer a member.",
  TEAM_NOT_FOUND: "This team no longer exists.",
  TEAM_MEMBER_LIMIT_REACHED: "This team is full.",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: "There is no room for another team.",
  UNABLE_TO_REMOVE_LAST_TEAM: "The last team cannot be deleted.",
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: "This organization is full.",
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION:
    "Verify your email first. Then you can answer invitations.",
  THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED:
    "This URL cannot be used. Enter a public address that begins with https://.",
  THE_NUMBER_OF_WEBHOOKS_IS_LIMITED:
    "The organization has the maximum number of webhooks. Delete one first.",
  WEBHOOK_NOT_FOUND: "This webhook no longer exists.",
  WEBHOOK_DELIVERY_NOT_FOUND: "This delivery no longer exists.",
  WEBHOOK_DELIVERY_HAS_NOT_FAILED: "This delivery has not failed.",
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_WEBHOOKS_OF_THIS_ORGANIZATION:
    "Your role does not allow you to manage webhooks.",
  YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS: "Your role does not allow you to see events of API keys.",
};
