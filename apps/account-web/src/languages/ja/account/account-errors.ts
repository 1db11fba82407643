import type { Translation } from "../../messages.ts";

export const accountErrors: Translation<"account", "accountErrors"> = {
  FAILED_TO_UPDATE_USER: "保存できませんでした。もう一度お試しください。",
  FIELD_IS_REQUIRED: "必須の項目が入力されていません。",
  EMAIL_IS_THE_SAME: "これは現在のメールアドレスです。",
  EMAIL_ALREADY_IN_USE: "このメールアドレスはすでに使用されています。",
  COULDNT_UPDATE_YOUR_EMAIL:
    "このメールアドレスは使用できません。別のメールアドレスを入力してください。",
  CHANGE_EMAIL_IS_DISABLED: "ここではメールアドレスを変更できません。",
  VERIFICATION_EMAIL_ISNT_ENABLED:
    "ここではこのメールアドレスを確認できません。サポートにお問い合わせください。",
  CREDENTIAL_ACCOUNT_NOT_FOUND: "パスワードが設定されていません。",
  YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT:
    "これは最後のサインイン方法です。先に別の方法を追加してください。",
  YOU_CANT_REMOVE_YOUR_LAST_WAY_IN:
    "これは最後のサインイン方法です。先に別の方法を追加してください。",
  ACCOUNT_NOT_FOUND: "このプロバイダーはすでに連携されていません。",
  SOCIAL_ACCOUNT_ALREADY_LINKED: "このアカウントは別のユーザーに連携されています。",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS:
    "パスキーの数が上限に達しています。先に 1 つ削除してください。",
  PREVIOUSLY_REGISTERED: "この端末にはすでにこのアカウントのパスキーがあります。",
  FAILED_TO_VERIFY_REGISTRATION: "パスキーが承認されませんでした。もう一度お試しください。",
  TOTP_ALREADY_ENABLED: "認証アプリはすでに設定されています。先に無効にしてください。",
  TOTP_NOT_ENABLED: "設定の有効期限が切れました。最初からやり直してください。",
  SESSION_NOT_FOUND: "このセッションはすでに終了しています。",
  YOU_CANNOT_REMOVE_THE_LAST_ADMIN:
    "最後の管理者であるため、アカウントを削除できません。先に別の管理者を任命してください。",
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION:
    "この操作には、最近のサインインが必要です。サインアウトし、もう一度サインインしてからお試しください。",
  KEY_NOT_FOUND: "このキーはもう存在しません。",
  INVALID_NAME_LENGTH: "別の長さの名前を選んでください。",
  KEY_DISABLED_EXPIRATION: "ここでは有効期限を選択できません。",
  EXPIRES_IN_IS_TOO_SMALL: "もっと遅い有効期限を選んでください。",
  EXPIRES_IN_IS_TOO_LARGE: "もっと早い有効期限を選んでください。",
  KEY_RETIRED: "このキーは置き換えられたため、変更できません。",
  ORGANIZATION_ALREADY_EXISTS: "この短縮名はすでに使用されています。別の短縮名を選んでください。",
  YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION: "組織を作成する権限がありません。",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS: "組織の数が上限に達しています。",
  YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER:
    "組織にはオーナーが必要です。先に別のメンバーをオーナーにしてください。",
  YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE: "このロールを付与することはできません。",
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: "このユーザーはすでにメンバーです。",
  USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION: "このメールアドレスはすでに招待されています。",
  INVITATION_LIMIT_REACHED:
    "招待が多すぎます。1 つ取り消すか、しばらくしてからもう一度お試しください。",
  INVITATION_NOT_FOUND: "この招待は無効になりました。",
  MEMBER_NOT_FOUND: "このユーザーはすでにメンバーではありません。",
  TEAM_NOT_FOUND: "このチームはもう存在しません。",
  TEAM_MEMBER_LIMIT_REACHED: "このチームは満員です。",
  YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS: "これ以上チームを追加できません。",
  UNABLE_TO_REMOVE_LAST_TEAM: "最後のチームは削除できません。",
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: "この組織は満員です。",
  EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION:
    "先にメールアドレスを確認してください。その後、招待に回答できます。",
  THE_URL_OF_THE_WEBHOOK_IS_NOT_ALLOWED:
    "この URL は使用できません。https:// で始まる公開アドレスを入力してください。",
  THE_NUMBER_OF_WEBHOOKS_IS_LIMITED:
    "組織の Webhook の数が上限に達しています。先に 1 つ削除してください。",
  WEBHOOK_NOT_FOUND: "この Webhook はもう存在しません。",
  WEBHOOK_DELIVERY_NOT_FOUND: "この配信はもう存在しません。",
  WEBHOOK_DELIVERY_HAS_NOT_FAILED: "この配信は失敗していません。",
  YOU_ARE_NOT_ALLOWED_TO_MANAGE_WEBHOOKS_OF_THIS_ORGANIZATION:
    "あなたのロールでは Webhook を管理できません。",
  YOU_ARE_NOT_ALLOWED_TO_READ_EVENTS: "あなたのロールでは API キーのイベントを表示できません。",
};
