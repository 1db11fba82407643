import type { Translation } from "../../messages.ts";

export const errors: Translation<"front", "errors"> = {
  network: "サーバーから応答がありませんでした。接続を確認して、もう一度お試しください。",
  unreadable: "サーバーから予期しない応答がありました。しばらくしてからもう一度お試しください。",
  unavailable: "現在ご利用いただけません。しばらくしてからもう一度お試しください。",
  failed: "問題が発生しました。もう一度お試しください。",
  failedWithId:
    "問題が発生しました。もう一度お試しください。解決しない場合は、次の ID をサポートにお知らせください：{{id}}",
  refused: "リクエストが拒否されました。入力内容を確認して、もう一度お試しください。",
  forbidden: "この操作を行う権限がありません。",
  notFound: "見つかりませんでした。削除された可能性があります。",
  signedOut: "セッションが終了しました。もう一度サインインしてください。",
  wait_other: "試行回数が多すぎます。{{count}} 秒後にもう一度お試しください。",
  waitMinutes_other: "試行回数が多すぎます。{{count}} 分後にもう一度お試しください。",
  waitOver: "もう一度お試しいただけます。",
  required: "この項目は必須です。",
  passkey: "ブラウザーでパスキーを使用できませんでした。もう一度試すか、別の方法を選んでください。",
  pages: {
    notFound: {
      title: "ページが見つかりません",
      text: "アドレスが間違っているか、ページが移動した可能性があります。",
    },
    failed: { title: "このページを読み込めませんでした" },
  },
  codes: {
    INVALID_EMAIL_OR_PASSWORD: "メールアドレスまたはパスワードが正しくありません。",
    INVALID_USERNAME_OR_PASSWORD: "ユーザー名またはパスワードが正しくありません。",
    INVALID_EMAIL: "name@example.com のようなメールアドレスを入力してください。",
    INVALID_PASSWORD: "パスワードが正しくありません。",
    EMAIL_NOT_VERIFIED:
      "先にメールアドレスを確認してください。お送りしたメールのリンクを開いてください。",
    BANNED_USER: "このアカウントはブロックされています。",
    PASSWORD_TOO_SHORT: "もっと長いパスワードを設定してください。",
    PASSWORD_TOO_LONG: "もっと短いパスワードを設定してください。",
    INVALID_CODE: "コードが正しくありません。最新のコードを入力してください。",
    INVALID_BACKUP_CODE: "このバックアップコードは正しくないか、すでに使用されています。",
    OTP_HAS_EXPIRED: "このコードは有効期限が切れています。新しいコードをリクエストしてください。",
    OTP_EXPIRED: "このコードは有効期限が切れています。新しいコードをリクエストしてください。",
    INVALID_OTP: "コードが正しくありません。最新のコードを入力してください。",
    TOO_MANY_ATTEMPTS: "誤ったコードが何度も入力されました。新しいコードをリクエストしてください。",
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE:
      "誤ったコードが何度も入力されました。新しいコードをリクエストしてください。",
    ACCOUNT_TEMPORARILY_LOCKED:
      "誤ったコードが何度も入力されました。しばらくしてからもう一度お試しください。",
    INVALID_TWO_FACTOR_COOKIE:
      "このサインインは有効期限が切れました。もう一度サインインしてください。",
    TWO_FACTOR_REQUIRED: "このアカウントには 2 要素認証が必要です。",
    USERNAME_IS_ALREADY_TAKEN_PLEASE_TRY_ANOTHER:
      "このユーザー名はすでに使用されています。別のユーザー名を選んでください。",
    USERNAME_IS_TOO_SHORT: "もっと長いユーザー名を選んでください。",
    USERNAME_IS_TOO_LONG: "もっと短いユーザー名を選んでください。",
    USERNAME_IS_INVALID: "文字、数字、アンダースコア、ピリオドのみ使用できます。",
    USER_ALREADY_EXISTS:
      "このメールアドレスのアカウントはすでに存在します。サインインしてください。",
    INVALID_TOKEN:
      "このリンクは使用済みか、有効期限が切れています。新しいリンクをリクエストしてください。",
    INVALID_CALLBACKURL: "移動元のページが指定したアドレスは許可されていません。",
    MISSING_CAPTCHA_RESPONSE: "先に CAPTCHA を完了してください。",
    CAPTCHA_VERIFICATION_FAILED: "CAPTCHA が承認されませんでした。もう一度お試しください。",
    SIGNUP_DISABLED: "このメールアドレスのアカウントはありません。",
    ACCOUNT_NOT_LINKED:
      "このメールアドレスのアカウントはすでに存在します。別の方法でサインインしてから、このプロバイダーを連携してください。",
    CHALLENGE_NOT_FOUND: "時間切れになりました。もう一度お試しください。",
    PASSKEY_NOT_FOUND: "このパスキーは登録されていません。別のパスキーを使用してください。",
    AUTHENTICATION_FAILED:
      "パスキーが承認されませんでした。もう一度試すか、別の方法でサインインしてください。",
    SESSION_IS_NOT_FRESH: "ご本人であることを確認してから、もう一度お試しください。",
  },
};
