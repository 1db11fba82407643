/** One entry of the catalogue: the HTTP status and the text that clients receive. */
export interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
}

const entry = <const Status extends number, const Message extends string>(
  status: Status,
  message: Message,
) => ({ status, message });

/**
 * Every error that a client can receive, keyed by the name that code throws. The wire code is derived from the message (see
 * `wireCode`). If one text serves several statuses, the thrower sets the status.
 */
export const errorCatalogue = {
  // The transport
  VALIDATION_ERROR: entry(400, "Invalid body parameters"),
  BODY_TOO_LARGE: entry(413, "Body is too large"),
  UNAUTHORIZED: entry(401, "Unauthorized"),
  FORBIDDEN: entry(403, "Forbidden"),
  NOT_FOUND: entry(404, "Not Found"),
  TOO_MANY_REQUESTS: entry(429, "Too many requests. Please try again later."),
  SERVICE_UNAVAILABLE: entry(503, "Service unavailable. Please try again later."),
  BASE_URL_UNKNOWN: entry(
    400,
    "Could not get base URL from request. Please provide a valid base URL.",
  ),
  HEADERS_IS_REQUIRED: entry(400, "Headers is required"),
  REQUEST_IS_REQUIRED: entry(400, "Request is required"),

  // Sign-in to other applications
  INVALID_SIGNATURE: entry(400, "invalid_signature"),
  INVALID_REQUEST: entry(400, "invalid_request"),
  OAUTH_CLIENT_NOT_FOUND: entry(404, "Client not found"),
  OAUTH_CONSENT_NOT_FOUND: entry(404, "Consent not found"),
  INVALID_USER_CODE: entry(400, "Invalid user code"),
  EXPIRED_USER_CODE: entry(400, "User code has expired"),
  DEVICE_CODE_ALREADY_PROCESSED: entry(400, "Device code already processed"),
  YOU_ARE_NOT_ALLOWED_TO_LIST_CLIENTS: entry(403, "You are not allowed to list clients"),
  YOU_ARE_NOT_ALLOWED_TO_CREATE_CLIENTS: entry(403, "You are not allowed to create clients"),
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_CLIENTS: entry(403, "You are not allowed to update clients"),
  YOU_ARE_NOT_ALLOWED_TO_DELETE_CLIENTS: entry(403, "You are not allowed to delete clients"),

  // Origins and redirect URLs
  INVALID_ORIGIN: entry(403, "Invalid origin"),
  INVALID_CALLBACKURL: entry(403, "Invalid callbackURL"),
  INVALID_AUTHORIZATIONURL: entry(400, "Invalid authorizationURL"),
  INVALID_REDIRECTURL: entry(403, "Invalid redirectURL"),
  INVALID_ERRORCALLBACKURL: entry(403, "Invalid errorCallbackURL"),
  INVALID_NEWUSERCALLBACKURL: entry(403, "Invalid newUserCallbackURL"),
  CALLBACKURL_IS_REQUIRED: entry(400, "callbackURL is required"),

  // Users and passwords
  USER_NOT_FOUND: entry(404, "User not found"),
  FAILED_TO_CREATE_USER: entry(400, "Failed to create user"),
  FAILED_TO_UPDATE_USER: entry(400, "Failed to update user"),
  INVALID_PASSWORD: entry(400, "Invalid password"),
  INVALID_EMAIL: entry(400, "Invalid email"),
  INVALID_EMAIL_OR_PASSWORD: entry(401, "Invalid email or password"),
  EMAIL_NOT_VERIFIED: entry(403, "Email not verified"),
  PASSWORD_TOO_SHORT: entry(400, "Password too short"),
  PASSWORD_TOO_LONG: entry(400, "Password too long"),
  PASSWORD_COMPROMISED: entry(
    400,
    "The password you entered has been compromised. Please choose a different password.",
  ),
  PASSWORD_CHANGE_REQUIRED: entry(
    403,
    "This password has been compromised. Choose a new one by the link in your mail.",
  ),
  USER_ALREADY_EXISTS: entry(422, "User already exists"),
  PICTURE_TOO_LARGE: entry(413, "Picture too large"),
  PICTURE_TYPE_NOT_SUPPORTED: entry(415, "Picture type not supported"),
  EMAIL_CAN_NOT_BE_UPDATED: entry(400, "Email can not be updated"),
  EMAIL_IS_THE_SAME: entry(400, "Email is the same"),
  COULDNT_UPDATE_YOUR_EMAIL: entry(400, "Couldn't update your email"),
  CREDENTIAL_ACCOUNT_NOT_FOUND: entry(400, "Credential account not found"),
  NO_PASSWORD_CREDENTIAL_FOUND: entry(400, "No password credential found"),
  USER_ALREADY_HAS_A_PASSWORD: entry(400, "user already has a password"),
  USER_ALREADY_HAS_A_PASSWORD_PROVIDE_THAT_TO_DELETE_THE_ACCOUNT: entry(
    400,
    "User already has a password. Provide that to delete the account.",
  ),
  EMAIL_AND_PASSWORD_IS_NOT_ENABLED: entry(400, "Email and password is not enabled"),
  EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED: entry(
    400,
    "Email and password sign up is not enabled",
  ),
  RESET_PASSWORD_ISNT_ENABLED: entry(400, "Reset password isn't enabled"),
  CHANGE_EMAIL_IS_DISABLED: entry(400, "Change email is disabled"),

  // Email verification
  VERIFICATION_EMAIL_ISNT_ENABLED: entry(400, "Verification email isn't enabled"),
  UNABLE_TO_CREATE_VERIFICATION: entry(500, "Unable to create verification"),
  YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL: entry(
    400,
    "You can only send a verification email to an unverified email",
  ),
  YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_YOUR_OWN_EMAIL: entry(
    400,
    "You can only send a verification email to your own email",
  ),
  LINK_TOKEN_EXPIRED: entry(401, "token_expired"),
  LINK_INVALID_TOKEN: entry(401, "invalid_token"),
  LINK_USER_NOT_FOUND: entry(401, "user_not_found"),
  LINK_UNAUTHORIZED: entry(401, "unauthorized"),

  // Sessions
  FAILED_TO_CREATE_SESSION: entry(401, "Failed to create session"),
  FAILED_TO_GET_SESSION: entry(400, "Failed to get session"),
  SESSION_NOT_FOUND: entry(400, "Session not found"),
  INVALID_SESSION_TOKEN: entry(401, "Invalid session token"),
  TOO_MANY_SESSIONS: entry(
    403,
    "This browser has too many signed-in users. Sign one of them out first.",
  ),
  NO_FIELDS_TO_UPDATE: entry(400, "No fields to update"),
  FAILED_TO_UPDATE_SESSION: entry(500, "Failed to update session"),
  METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED: entry(
    405,
    "POST method requires deferSessionRefresh to be enabled in session config",
  ),
  SESSION_IS_NOT_FRESH: entry(403, "Session is not fresh"),
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION: entry(
    400,
    "Session expired. Re-authenticate to perform this action.",
  ),
  EITHER_USERID_OR_SESSION_IS_REQUIRED: entry(400, "Either userId or session is required"),
  NOT_AUTHENTICATED: entry(401, "Not authenticated"),

  // Guests
  ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY: entry(
    400,
    "Anonymous users cannot sign in again anonymously",
  ),
  USER_IS_NOT_ANONYMOUS: entry(403, "User is not anonymous"),
  DELETE_ANONYMOUS_USER_DISABLED: entry(400, "Deleting anonymous users is disabled"),

  // Second factors
  OTP_NOT_CONFIGURED: entry(400, "otp isn't configured"),
  TOTP_NOT_CONFIGURED: entry(400, "totp isn't configured"),
  TOTP_NOT_ENABLED: entry(400, "TOTP not enabled"),
  TOTP_ALREADY_ENABLED: entry(400, "TOTP is already enabled"),
  TWO_FACTOR_NOT_ENABLED: entry(400, "Two factor isn't enabled"),
  BACKUP_CODES_NOT_ENABLED: entry(400, "Backup codes aren't enabled"),
  OTP_HAS_EXPIRED: entry(400, "OTP has expired"),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: entry(400, "Too many attempts. Please request a new code."),
  INVALID_CODE: entry(401, "Invalid code"),
  INVALID_BACKUP_CODE: entry(401, "Invalid backup code"),
  INVALID_TWO_FACTOR_COOKIE: entry(401, "Invalid two factor cookie"),
  ACCOUNT_TEMPORARILY_LOCKED: entry(
    429,
    "Too many failed verification attempts. Your account is temporarily locked. Please try again later.",
  ),
  TWO_FACTOR_REQUIRED: entry(403, "A second factor is required"),
  TRUSTED_DEVICE_NOT_FOUND: entry(404, "Trusted device not found"),
  YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS: entry(
    403,
    "You are not allowed to reset second factors",
  ),
  YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR: entry(400, "You cannot reset your own second factor"),

  // Passkeys
  CHALLENGE_NOT_FOUND: entry(400, "Challenge not found"),
  FAILED_TO_VERIFY_REGISTRATION: entry(400, "Failed to verify registration"),
  AUTHENTICATION_FAILED: entry(400, "Authentication failed"),
  PASSKEY_NOT_FOUND: entry(404, "Passkey not found"),
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: entry(
    401,
    "You are not allowed to register this passkey",
  ),
  PREVIOUSLY_REGISTERED: entry(400, "Previously registered"),
  YOU_CANT_REMOVE_YOUR_LAST_WAY_IN: entry(400, "You can't remove your last way in"),
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS: entry(
    400,
    "You have reached the maximum number of passkeys",
  ),

  // Links and codes by mail
  MAGIC_LINK_INVALID_TOKEN: entry(400, "Invalid token"),
  ONE_TIME_TOKEN_INVALID: entry(400, "Invalid token"),
  INVALID_OTP: entry(400, "Invalid OTP"),
  OTP_EXPIRED: entry(400, "OTP expired"),
  TOO_MANY_ATTEMPTS: entry(403, "Too many attempts"),
  INVALID_OTP_TYPE: entry(400, "Invalid OTP type"),
  CHANGE_EMAIL_WITH_OTP_IS_DISABLED: entry(400, "Change email with OTP is disabled"),
  OTP_IS_REQUIRED_TO_VERIFY_CURRENT_EMAIL: entry(400, "OTP is required to verify current email"),
  EMAIL_ALREADY_IN_USE: entry(400, "Email already in use"),
  FIELD_NOT_ALLOWED: entry(400, "field is not allowed to be set"),

  // Phone numbers
  INVALID_PHONE_NUMBER: entry(400, "Invalid phone number"),
  INVALID_PHONE_NUMBER_OR_PASSWORD: entry(401, "Invalid phone number or password"),
  PHONE_NUMBER_EXIST: entry(400, "Phone number already exists"),
  PHONE_NUMBER_NOT_VERIFIED: entry(401, "Phone number not verified"),
  PHONE_NUMBER_CANNOT_BE_UPDATED: entry(400, "Phone number cannot be updated"),

  // Accounts and providers
  SOCIAL_ACCOUNT_ALREADY_LINKED: entry(400, "Social account already linked"),
  PROVIDER_NOT_FOUND: entry(404, "Provider not found"),
  INVALID_TOKEN: entry(400, "invalid token"),
  INVALID_ID_TOKEN: entry(400, "invalid id token"),
  EMAIL_NOT_AVAILABLE_IN_TOKEN: entry(400, "Email not available in token"),
  ID_TOKEN_NOT_SUPPORTED: entry(404, "id_token not supported"),
  FAILED_TO_GET_USER_INFO: entry(401, "Failed to get user info"),
  USER_EMAIL_NOT_FOUND: entry(401, "User email not found"),
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: entry(400, "You can't unlink your last account"),
  ACCOUNT_NOT_FOUND: entry(400, "Account not found"),
  ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED: entry(401, "Account not linked - linking not allowed"),
  ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED: entry(
    401,
    "Account not linked - different emails not allowed",
  ),
  ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT: entry(
    417,
    "Account not linked - unable to create account",
  ),
  ACCOUNT_NOT_LINKED: entry(401, "account not linked"),
  SIGNUP_DISABLED: entry(401, "signup disabled"),
  UNABLE_TO_LINK_ACCOUNT: entry(401, "unable to link account"),
  UNABLE_TO_CREATE_USER: entry(401, "unable to create user"),
  UNABLE_TO_CREATE_SESSION: entry(401, "unable to create session"),
  ACCOUNT_ALREADY_LINKED_TO_DIFFERENT_USER: entry(401, "account already linked to different user"),
  PROVIDER_IS_NOT_SUPPORTED: entry(400, "Provider is not supported."),
  PROVIDER_DOES_NOT_SUPPORT_TOKEN_REFRESHING: entry(
    400,
    "Provider does not support token refreshing.",
  ),
  PROVIDER_IS_NOT_CONFIGURED: entry(500, "Provider account provider is not configured"),
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: entry(400, "Failed to get a valid access token"),
  FAILED_TO_REFRESH_ACCESS_TOKEN: entry(400, "Failed to refresh access token"),

  // Usernames
  INVALID_USERNAME_OR_PASSWORD: entry(401, "invalid username or password"),
  USERNAME_EMAIL_NOT_VERIFIED: entry(403, "email not verified"),
  USERNAME_IS_TOO_SHORT: entry(422, "username is too short"),
  USERNAME_IS_TOO_LONG: entry(422, "username is too long"),
  USERNAME_IS_INVALID: entry(422, "username is invalid"),
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: entry(
    422,
    "username is already taken. please try another.",
  ),

  // Additional fields and conditions
  FIELD_IS_REQUIRED: entry(400, "field is required"),
  FIELD_DOES_NOT_EXIST: entry(400, "Field does not exist"),
  MODEL_DOES_NOT_EXIST_IN_THE_DATABASE: entry(400, "Model does not exist in the database"),
  VALUE_MUST_BE_AN_ARRAY: entry(400, "Value must be an array"),

  // Admin of users
  BANNED_USER: entry(
    403,
    "You have been banned from this application. Please contact support if you believe this is an error.",
  ),
  YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE: entry(403, "You are not allowed to change users role"),
  YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS: entry(403, "You are not allowed to create users"),
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS: entry(403, "You are not allowed to list users"),
  YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS: entry(
    403,
    "You are not allowed to list users sessions",
  ),
  YOU_ARE_NOT_ALLOWED_TO_BAN_USERS: entry(403, "You are not allowed to ban users"),
  YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS: entry(403, "You are not allowed to impersonate users"),
  YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS: entry(
    403,
    "You are not allowed to revoke users sessions",
  ),
  YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS: entry(403, "You are not allowed to delete users"),
  YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD: entry(
    403,
    "You are not allowed to set users password",
  ),
  YOU_ARE_NOT_ALLOWED_TO_GET_USER: entry(403, "You are not allowed to get user"),
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS: entry(403, "You are not allowed to update users"),
  YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL: entry(403, "You are not allowed to update users email"),
  NO_DATA_TO_UPDATE: entry(400, "No data to update"),
  PASSWORD_CANNOT_BE_UPDATED_VIA_UPDATE_USER: entry(
    400,
    "A password cannot be changed here. Use /admin/set-user-password",
  ),
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: entry(400, "User already exists. Use another email."),
  YOU_ARE_NOT_ALLOWED_TO_LIST_SIGNING_KEYS: entry(403, "You are not allowed to list signing keys"),
  YOU_ARE_NOT_ALLOWED_TO_ROTATE_SIGNING_KEYS: entry(
    403,
    "You are not allowed to rotate signing keys",
  ),
  SIGNED_TOKENS_ARE_NOT_ENABLED: entry(400, "Signed tokens are not enabled"),
  YOU_CANNOT_BAN_YOURSELF: entry(400, "You cannot ban yourself"),
  YOU_CANNOT_SECURE_YOURSELF: entry(400, "You cannot secure yourself"),
  YOU_ARE_NOT_ALLOWED_TO_SECURE_USERS: entry(403, "You are not allowed to secure users"),
  YOU_ARE_NOT_ALLOWED_TO_MERGE_USERS: entry(403, "You are not allowed to merge users"),
  YOU_CANNOT_MERGE_YOURSELF: entry(400, "You cannot merge yourself"),
  USERS_CANNOT_BE_MERGED: entry(409, "Users cannot be merged"),
  MERGE_NOT_FOUND: entry(404, "Merge not found"),
  USER_IS_MERGED: entry(409, "User is merged"),
  YOU_CANNOT_DEMOTE_YOURSELF: entry(400, "You cannot demote yourself"),
  YOU_CANNOT_REMOVE_YOURSELF: entry(400, "You cannot remove yourself"),
  YOU_CANNOT_REMOVE_THE_LAST_ADMIN: entry(400, "You cannot remove the last admin"),
  YOU_CANNOT_IMPERSONATE_YOURSELF: entry(400, "You cannot impersonate yourself"),
  YOU_CANNOT_IMPERSONATE_ADMINS: entry(403, "You cannot impersonate admins"),
  YOU_ARE_NOT_IMPERSONATING_ANYONE: entry(400, "You are not impersonating anyone"),
  YOU_ARE_ALREADY_IMPERSONATING_A_USER: entry(400, "You are already impersonating a user"),
  IMPERSONATION_LINK_NOT_FOUND: entry(404, "Impersonation link not found"),
  IMPERSONATION_LINK_EXPIRED: entry(400, "Impersonation link expired"),
  IMPERSONATION_LINK_OF_ANOTHER_SESSION: entry(403, "Impersonation link of another session"),
  FAILED_TO_FIND_ADMIN_SESSION: entry(500, "Failed to find admin session"),
  PERMISSION_USER_NOT_FOUND: entry(400, "user not found"),
  YOU_ARE_NOT_ALLOWED_TO_LIST_MAILS: entry(403, "You are not allowed to list mails"),
  YOU_ARE_NOT_ALLOWED_TO_READ_MAILS: entry(403, "You are not allowed to read mails"),
  YOU_ARE_NOT_ALLOWED_TO_RETRY_MAILS: entry(403, "You are not allowed to retry mails"),
  DELIVERY_NOT_FOUND: entry(404, "Delivery not found"),
  DELIVERY_HAS_NOT_FAILED: entry(400, "Delivery has not failed"),
  YOU_ARE_NOT_ALLOWED_TO_LIST_WEBHOOKS: entry(403, "You are not allowed to list webhooks"),
  YOU_ARE_NOT_ALLOWED_TO_CREATE_WEBHOOKS: entry(403, "You are not allowed to create webhooks"),
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_WEBHOOKS: entry(403, "You are not allowed to update webhooks"),
  YOU_ARE_NOT_ALLOWED_TO_DELETE_WEBHOOKS: entry(403, "You are not allowed to delete webhooks"),
  YOU_ARE_NOT_ALLOWED_TO_RETRY_WEBHOOKS: entry(403, "You are not allowed to retry webhooks"),
  YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS: entry(403, "You are not allowed to read events"),
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_WEBHOOKS_OF_THIS_ORGANIZATION: entry(
    403,
    "You are not allowed to manage webhooks of this organization",
  ),
  EVENT_NOT_FOUND: entry(404, "Event not found"),
  WEBHOOK_NOT_FOUND: entry(404, "Webhook not found"),
  WEBHOOK_DELIVERY_NOT_FOUND: entry(404, "Webhook delivery not found"),
  WEBHOOK_DELIVERY_HAS_NOT_FAILED: entry(400, "Webhook delivery has not failed"),
  WEBHOOK_URL_NOT_ALLOWED: entry(400, "The URL of the webhook is not allowed"),
  WEBHOOK_CONTACT_NOT_ALLOWED: entry(400, "The contact of the webhook is not allowed"),
  WEBHOOK_LIMIT_REACHED: entry(403, "The number of webhooks is limited"),
  YOU_ARE_NOT_ALLOWED_TO_LIST_QUEUES: entry(403, "You are not allowed to list queues"),
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_QUEUES: entry(403, "You are not allowed to update queues"),
  YOU_ARE_NOT_ALLOWED_TO_READ_STATISTICS: entry(403, "You are not allowed to read statistics"),
  YOU_ARE_NOT_ALLOWED_TO_LIST_THE_AUDIT_LOG: entry(
    403,
    "You are not allowed to list the audit log",
  ),
  YOU_ARE_NOT_ALLOWED_TO_RESET_RATE_LIMITS: entry(403, "You are not allowed to reset rate limits"),
  YOU_ARE_NOT_ALLOWED_TO_READ_SETTINGS: entry(403, "You are not allowed to read settings"),

  // Captcha
  MISSING_CAPTCHA_RESPONSE: entry(400, "Missing CAPTCHA response"),
  CAPTCHA_VERIFICATION_FAILED: entry(403, "Captcha verification failed"),
  SOMETHING_WENT_WRONG: entry(503, "Something went wrong"),

  // Organizations
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: entry(
    403,
    "You are not allowed to create a new organization",
  ),
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: entry(
    403,
    "You have reached the maximum number of organizations",
  ),
  ORGANIZATION_ALREADY_EXISTS: entry(400, "Organization already exists"),
  ORGANIZATION_NOT_FOUND: entry(400, "Organization not found"),
  ORGANIZATION_ID_IS_REQUIRED: entry(400, "Organization ID is required"),
  USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION: entry(400, "User is not a member of the organization"),
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION: entry(
    403,
    "You are not allowed to update this organization",
  ),
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION: entry(
    403,
    "You are not allowed to delete this organization",
  ),
  YOU_ARE_NOT_ALLOWED_TO_LIST_ORGANIZATIONS: entry(
    403,
    "You are not allowed to list organizations",
  ),
  YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION: entry(
    403,
    "You are not a member of this organization",
  ),
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: entry(
    400,
    "User is already a member of this organization",
  ),
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: entry(
    400,
    "User is already invited to this organization",
  ),
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION: entry(
    403,
    "You are not allowed to invite users to this organization",
  ),
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: entry(
    403,
    "you are not allowed to invite user with this role",
  ),
  INVITATION_LIMIT_REACHED: entry(403, "Invitation limit reached"),
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION: entry(
    403,
    "Email verification required before accepting or rejecting invitation",
  ),
  OFFERED_INVITATION_NOT_FOUND: entry(400, "Invitation not found!"),
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER: entry(
    403,
    "You are not allowed to update this member",
  ),
  YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION: entry(
    403,
    "You are not allowed to create teams in this organization",
  ),
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: entry(
    400,
    "You have reached the maximum number of teams",
  ),
  TEAMS_ARE_NOT_ENABLED: entry(400, "Teams are not enabled"),
  NO_ACTIVE_ORGANIZATION: entry(400, "No active organization"),
  MEMBER_NOT_FOUND: entry(400, "Member not found"),
  TEAM_NOT_FOUND: entry(400, "Team not found"),
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER: entry(
    400,
    "You cannot leave the organization as the only owner",
  ),
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER: entry(
    403,
    "You are not allowed to delete this member",
  ),
  INVITATION_NOT_FOUND: entry(400, "Invitation not found"),
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION: entry(
    403,
    "You are not the recipient of the invitation",
  ),
  YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION: entry(
    403,
    "You are not allowed to cancel this invitation",
  ),
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION: entry(
    400,
    "Inviter is no longer a member of the organization",
  ),
  FAILED_TO_RETRIEVE_INVITATION: entry(400, "Failed to retrieve invitation"),
  UNABLE_TO_REMOVE_LAST_TEAM: entry(400, "Unable to remove last team"),
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: entry(403, "Organization membership limit reached"),
  YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION: entry(
    403,
    "You are not allowed to delete teams in this organization",
  ),
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM: entry(403, "You are not allowed to update this team"),
  YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM: entry(403, "You are not allowed to delete this team"),
  TEAM_MEMBER_LIMIT_REACHED: entry(403, "Team member limit reached"),
  USER_IS_NOT_A_MEMBER_OF_THE_TEAM: entry(403, "User is not a member of the team"),
  YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM: entry(400, "You do not have an active team"),
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER: entry(
    403,
    "You are not allowed to add members to this team",
  ),
  YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER: entry(
    403,
    "You are not allowed to remove a team member",
  ),
  YOU_MUST_BE_IN_AN_ORGANIZATION_TO_CREATE_A_ROLE: entry(
    400,
    "You must be in an organization to create a role",
  ),
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE: entry(403, "You are not allowed to create a role"),
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE: entry(403, "You are not allowed to update a role"),
  YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE: entry(403, "You are not allowed to delete a role"),
  YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE: entry(403, "You are not allowed to read a role"),
  YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE: entry(403, "You are not allowed to list a role"),
  ROLE_NOT_FOUND: entry(400, "Role not found"),
  TOO_MANY_ROLES: entry(400, "This organization has the maximum number of roles"),
  INVALID_RESOURCE: entry(400, "The permission names an unknown resource"),
  ROLE_NAME_IS_ALREADY_TAKEN: entry(400, "Another role has this name"),
  CANNOT_DELETE_A_PRE_DEFINED_ROLE: entry(400, "Cannot delete a pre-defined role"),
  ROLE_IS_ASSIGNED_TO_MEMBERS: entry(
    400,
    "Members or invitations still have this role. Give them another one first.",
  ),
  SLUG_IS_TAKEN: entry(400, "slug is taken"),

  // API keys
  INVALID_API_KEY: entry(401, "Invalid API key."),
  KEY_DISABLED: entry(401, "API Key is disabled"),
  KEY_EXPIRED: entry(401, "API Key has expired"),
  USAGE_EXCEEDED: entry(401, "API Key has reached its usage limit"),
  KEY_NOT_FOUND: entry(404, "API Key not found"),
  RATE_LIMITED: entry(429, "Rate limit exceeded."),
  /** It was re-rolled: its successor has its limits. */
  KEY_RETIRED: entry(409, "API Key is retired"),
  /** This name is the wire code. Any other unexpected error has no body. */
  INTERNAL_SERVER_ERROR: entry(500, "Failed to update API key"),
  NO_VALUES_TO_UPDATE: entry(400, "No values to update."),
  KEY_DISABLED_EXPIRATION: entry(400, "Custom key expiration values are disabled."),
  METADATA_DISABLED: entry(400, "Metadata is disabled."),
  INVALID_METADATA_TYPE: entry(400, "metadata must be an object or undefined"),
  EXPIRES_IN_IS_TOO_SMALL: entry(
    400,
    "The expiresIn is smaller than the predefined minimum value.",
  ),
  EXPIRES_IN_IS_TOO_LARGE: entry(400, "The expiresIn is larger than the predefined maximum value."),
  INVALID_PREFIX_LENGTH: entry(400, "The prefix length is either too large or too small."),
  INVALID_NAME_LENGTH: entry(400, "The name length is either too large or too small."),
  SERVER_ONLY_PROPERTY: entry(
    400,
    "The property you're trying to set can only be set from the server auth instance only.",
  ),
  REFILL_AMOUNT_ALONE: entry(400, "refillAmount is required when refillInterval is provided"),
  REFILL_INTERVAL_ALONE: entry(400, "refillInterval is required when refillAmount is provided"),
  INVALID_API_KEY_GETTER: entry(
    400,
    "API Key getter returned an invalid key type. Expected string.",
  ),
  ORGANIZATION_KEYS_DISABLED: entry(400, "API keys of organizations are disabled."),
  ORGANIZATION_ID_REQUIRED: entry(
    400,
    "Organization ID is required for organization-owned API keys.",
  ),
  USER_NOT_MEMBER_OF_ORGANIZATION: entry(
    403,
    "You are not a member of the organization that owns this API key.",
  ),
  INSUFFICIENT_API_KEY_PERMISSIONS: entry(
    403,
    "You do not have permission to perform this action on organization API keys.",
  ),
  INVALID_REFERENCE_ID_FROM_API_KEY: entry(401, "The reference id from the API key is invalid."),
  INVALID_USER_ID_FROM_API_KEY: entry(401, "The user id from the API key is invalid."),
  YOU_ARE_NOT_ALLOWED_TO_LIST_API_KEYS: entry(403, "You are not allowed to list API keys"),
  YOU_ARE_NOT_ALLOWED_TO_CREATE_API_KEYS: entry(403, "You are not allowed to create API keys"),
  YOU_ARE_NOT_ALLOWED_TO_UPDATE_API_KEYS: entry(403, "You are not allowed to update API keys"),
  YOU_ARE_NOT_ALLOWED_TO_DELETE_API_KEYS: entry(403, "You are not allowed to delete API keys"),
  USER_BANNED: entry(401, "User is banned"),
  INVALID_SESSION: entry(401, "Unauthorized or invalid session"),
} as const satisfies Record<string, CatalogueEntry>;

/** The name by which code throws an error of the catalogue. */
export type ErrorCode = keyof typeof errorCatalogue;

/** Errors whose wire code is their own name, because clients match on the name and not on the text. */
const named: ReadonlySet<ErrorCode> = new Set([
  "DELETE_ANONYMOUS_USER_DISABLED",
  "PASSWORD_CHANGE_REQUIRED",
  "PASSWORD_COMPROMISED",
  "OTP_NOT_CONFIGURED",
  "TOTP_NOT_CONFIGURED",
  "TOTP_ALREADY_ENABLED",
  "TWO_FACTOR_NOT_ENABLED",
  "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE",
  "ACCOUNT_TEMPORARILY_LOCKED",
  "TWO_FACTOR_REQUIRED",
  "TOO_MANY_SESSIONS",
  "FIELD_NOT_ALLOWED",
  "PHONE_NUMBER_EXIST",
  "VALIDATION_ERROR",
  "BANNED_USER",
  "BODY_TOO_LARGE",
  "SERVICE_UNAVAILABLE",
  "INTERNAL_SERVER_ERROR",
  "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL",
  "PASSWORD_CANNOT_BE_UPDATED_VIA_UPDATE_USER",
  "METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED",
  "KEY_DISABLED",
  "KEY_EXPIRED",
  "USAGE_EXCEEDED",
  "RATE_LIMITED",
  "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER",
  "TOO_MANY_ROLES",
  "INVALID_RESOURCE",
  "ROLE_NAME_IS_ALREADY_TAKEN",
  "CANNOT_DELETE_A_PRE_DEFINED_ROLE",
  "ROLE_IS_ASSIGNED_TO_MEMBERS",
  "ORGANIZATION_ID_REQUIRED",
  "USER_NOT_MEMBER_OF_ORGANIZATION",
  "INSUFFICIENT_API_KEY_PERMISSIONS",
  "INVALID_REFERENCE_ID_FROM_API_KEY",
]);

/** The codes of the SDK 1.7 that differ from those of 1.2. Clients of 1.7 match on the code, those of 1.2 on the text. */
const codesOfNewSdk: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_CALLBACKURL: "INVALID_CALLBACK_URL",
  INVALID_REDIRECTURL: "INVALID_REDIRECT_URL",
  INVALID_ERRORCALLBACKURL: "INVALID_ERROR_CALLBACK_URL",
  INVALID_NEWUSERCALLBACKURL: "INVALID_NEW_USER_CALLBACK_URL",
  CALLBACKURL_IS_REQUIRED: "CALLBACK_URL_REQUIRED",
  USER_ALREADY_EXISTS: "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
  USER_ALREADY_HAS_A_PASSWORD: "PASSWORD_ALREADY_SET",
  USER_ALREADY_HAS_A_PASSWORD_PROVIDE_THAT_TO_DELETE_THE_ACCOUNT: "USER_ALREADY_HAS_PASSWORD",
  EMAIL_AND_PASSWORD_IS_NOT_ENABLED: "EMAIL_PASSWORD_DISABLED",
  EMAIL_AND_PASSWORD_SIGN_UP_IS_NOT_ENABLED: "EMAIL_PASSWORD_SIGN_UP_DISABLED",
  RESET_PASSWORD_ISNT_ENABLED: "RESET_PASSWORD_DISABLED",
  CHANGE_EMAIL_IS_DISABLED: "CHANGE_EMAIL_DISABLED",
  VERIFICATION_EMAIL_ISNT_ENABLED: "VERIFICATION_EMAIL_NOT_ENABLED",
  UNABLE_TO_CREATE_VERIFICATION: "FAILED_TO_CREATE_VERIFICATION",
  SESSION_IS_NOT_FRESH: "SESSION_NOT_FRESH",
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION: "SESSION_EXPIRED",
  EITHER_USERID_OR_SESSION_IS_REQUIRED: "USER_ID_OR_SESSION_REQUIRED",
  BACKUP_CODES_NOT_ENABLED: "BACKUP_CODES_NOT_ENABLED",
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT: "FAILED_TO_UNLINK_LAST_ACCOUNT",
  ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED: "LINKING_NOT_ALLOWED",
  ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED: "LINKING_DIFFERENT_EMAILS_NOT_ALLOWED",
  ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT: "LINKING_FAILED",
  ACCOUNT_NOT_LINKED: "OAUTH_LINK_ERROR",
  SIGNUP_DISABLED: "OAUTH_LINK_ERROR",
  UNABLE_TO_LINK_ACCOUNT: "OAUTH_LINK_ERROR",
  UNABLE_TO_CREATE_USER: "OAUTH_LINK_ERROR",
  PROVIDER_IS_NOT_SUPPORTED: "PROVIDER_NOT_SUPPORTED",
  PROVIDER_DOES_NOT_SUPPORT_TOKEN_REFRESHING: "TOKEN_REFRESH_NOT_SUPPORTED",
  PROVIDER_IS_NOT_CONFIGURED: "PROVIDER_NOT_CONFIGURED",
  FAILED_TO_GET_A_VALID_ACCESS_TOKEN: "FAILED_TO_GET_ACCESS_TOKEN",
  USERNAME_IS_TOO_SHORT: "USERNAME_TOO_SHORT",
  USERNAME_IS_TOO_LONG: "USERNAME_TOO_LONG",
  USERNAME_IS_INVALID: "INVALID_USERNAME",
  USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER: "USERNAME_IS_ALREADY_TAKEN",
  FIELD_IS_REQUIRED: "MISSING_FIELD",
  MISSING_CAPTCHA_RESPONSE: "MISSING_RESPONSE",
  CAPTCHA_VERIFICATION_FAILED: "VERIFICATION_FAILED",
  SOMETHING_WENT_WRONG: "UNKNOWN_ERROR",
  SLUG_IS_TAKEN: "ORGANIZATION_SLUG_ALREADY_TAKEN",
  KEY_NOT_FOUND: "KEY_NOT_FOUND",
  INTERNAL_SERVER_ERROR: "FAILED_TO_UPDATE_API_KEY",
  KEY_DISABLED_EXPIRATION: "KEY_DISABLED_EXPIRATION",
  METADATA_DISABLED: "METADATA_DISABLED",
  INVALID_METADATA_TYPE: "INVALID_METADATA_TYPE",
  EXPIRES_IN_IS_TOO_SMALL: "EXPIRES_IN_IS_TOO_SMALL",
  EXPIRES_IN_IS_TOO_LARGE: "EXPIRES_IN_IS_TOO_LARGE",
  INVALID_PREFIX_LENGTH: "INVALID_PREFIX_LENGTH",
  INVALID_NAME_LENGTH: "INVALID_NAME_LENGTH",
  SERVER_ONLY_PROPERTY: "SERVER_ONLY_PROPERTY",
  REFILL_AMOUNT_ALONE: "REFILL_AMOUNT_AND_INTERVAL_REQUIRED",
  REFILL_INTERVAL_ALONE: "REFILL_INTERVAL_AND_AMOUNT_REQUIRED",
  INVALID_API_KEY_GETTER: "INVALID_API_KEY_GETTER_RETURN_TYPE",
  INVALID_USER_ID_FROM_API_KEY: "INVALID_USER_ID_FROM_API_KEY",
  USER_BANNED: "USER_BANNED",
  INVALID_SESSION: "UNAUTHORIZED_SESSION",
};

/** Returns the code of an error for the SDK 1.7 if it differs from that for 1.2. */
export const newSdkCode = (code: ErrorCode): string | undefined => codesOfNewSdk[code];

/** An internal reply header with the code of an error for the SDK 1.7, by which the gateway replaces that for 1.2. */
export const newSdkCodeHeader = "x-latchkey-code";

/** The `error` of RFC 8628, on which clients of devices match. */
const deviceErrors: Readonly<Partial<Record<ErrorCode, string>>> = {
  INVALID_USER_CODE: "invalid_request",
  EXPIRED_USER_CODE: "expired_token",
  DEVICE_CODE_ALREADY_PROCESSED: "invalid_request",
};

/** Returns the name of an error in the standards of OAuth, if clients know it by that too. */
export const oauthErrorOf = (code: ErrorCode): string | undefined => deviceErrors[code];

/** Errors without a `code` member, as existing clients expect. */
const withoutCode: ReadonlySet<ErrorCode> = new Set([
  "TOO_MANY_REQUESTS",
  "MISSING_CAPTCHA_RESPONSE",
  "CAPTCHA_VERIFICATION_FAILED",
  "SOMETHING_WENT_WRONG",
]);

/** Returns whether the body of an error has a `code` member. */
export const showsCode = (code: ErrorCode): boolean => !withoutCode.has(code);

/** Converts to upper case, replaces spaces by underscores and removes everything outside `A-Z 0-9 _`. */
export const deriveCode = (message: string): string =>
  message
    .toUpperCase()
    .replaceAll(" ", "_")
    .replaceAll(/[^A-Z0-9_]/g, "");

/** Errors whose text, and so whose wire code, contains the name of a configured field, model or provider. */
const naming: ReadonlySet<ErrorCode> = new Set([
  "FIELD_IS_REQUIRED",
  "PROVIDER_IS_NOT_SUPPORTED",
  "PROVIDER_DOES_NOT_SUPPORT_TOKEN_REFRESHING",
  "PROVIDER_IS_NOT_CONFIGURED",
  "FIELD_DOES_NOT_EXIST",
  "MODEL_DOES_NOT_EXIST_IN_THE_DATABASE",
]);

/** Returns the `code` member that clients receive for an error. `message` is the text that it is sent with. */
export const wireCode = (code: ErrorCode, message?: string): string => {
  if (named.has(code)) return code;
  const isNaming = message !== undefined && naming.has(code);
  return deriveCode(isNaming ? message : errorCatalogue[code].message);
};
