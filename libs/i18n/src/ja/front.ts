import type { front as english } from "../en/front.ts";
import type { Translated } from "../message.ts";

/** The Japanese texts of the pages for signed-out users. They have the polite form (desu, masu). */
export const front: Translated<typeof english> = {
  captcha: {
    title: "人間であることを確認してください",
    failed:
      "CAPTCHA を読み込めませんでした。接続を確認し、このページのコンテンツブロッカーを無効にして、もう一度お試しください。",
  },
  errors: {
    network: "サーバーから応答がありませんでした。接続を確認して、もう一度お試しください。",
    unreadable: "サーバーから予期しない応答がありました。しばらくしてからもう一度お試しください。",
    unavailable: "現在ご利用いただけません。しばらくしてからもう一度お試しください。",
    failed: "問題が発生しました。もう一度お試しください。",
    failedWithId:
      "問題が発生しました。もう一度お試しください。解決しない場合は、次の ID をサポートにお知らせください：{id}",
    refused: "リクエストが拒否されました。入力内容を確認して、もう一度お試しください。",
    forbidden: "この操作を行う権限がありません。",
    notFound: "見つかりませんでした。削除された可能性があります。",
    signedOut: "セッションが終了しました。もう一度サインインしてください。",
    wait: "{count, plural, other {試行回数が多すぎます。# 秒後にもう一度お試しください。}}",
    waitMinutes: "{count, plural, other {試行回数が多すぎます。# 分後にもう一度お試しください。}}",
    waitOver: "もう一度お試しいただけます。",
    required: "この項目は必須です。",
    passkey:
      "ブラウザーでパスキーを使用できませんでした。もう一度試すか、別の方法を選んでください。",
    pages: {
      notFound: {
        title: "ページが見つかりません",
        text: "アドレスが間違っているか、ページが移動した可能性があります。",
      },
      failed: {
        title: "このページを読み込めませんでした",
      },
    },
    codes: {
      INVALID_EMAIL_OR_PASSWORD: "メールアドレスまたはパスワードが正しくありません。",
      INVALID_USERNAME_OR_PASSWORD: "ユーザー名またはパスワードが正しくありません。",
      INVALID_EMAIL: "name@example.com のようなメールアドレスを入力してください。",
      INVALID_PASSWORD: "パスワードが正しくありません。",
      EMAIL_NOT_VERIFIED: "先にメールアドレスを確認してください。",
      BANNED_USER: "このアカウントはブロックされています。",
      PASSWORD_TOO_SHORT: "もっと長いパスワードを設定してください。",
      PASSWORD_TOO_LONG: "もっと短いパスワードを設定してください。",
      PASSWORD_COMPROMISED:
        "このパスワードは漏えいが確認されています。別のものを設定してください。",
      PASSWORD_CHANGE_REQUIRED:
        "このパスワードは漏えいが確認されています。メールでお送りしたリンクから新しいパスワードを設定してください。",
      INVALID_CODE: "コードが正しくありません。最新のコードを入力してください。",
      INVALID_BACKUP_CODE: "このバックアップコードは正しくないか、すでに使用されています。",
      OTP_HAS_EXPIRED: "このコードは有効期限が切れています。新しいコードをリクエストしてください。",
      OTP_EXPIRED: "このコードは有効期限が切れています。新しいコードをリクエストしてください。",
      INVALID_OTP: "コードが正しくありません。最新のコードを入力してください。",
      TOO_MANY_ATTEMPTS:
        "誤ったコードが何度も入力されました。新しいコードをリクエストしてください。",
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
      TOO_MANY_SESSIONS:
        "このブラウザーにサインインしているアカウントが多すぎます。先にいずれかをサインアウトしてください。",
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
  },
  invitation: {
    title: "{organization} に参加",
    text: "{inviter} さんが、ロール {role} であなたを招待しています。",
    accept: "招待を承諾する",
    decline: "辞退する",
    accepted: "{organization} のメンバーになりました。",
    declined: "招待を辞退しました。",
    signedOut: {
      text: "{email} 宛ての招待です。このメールアドレスでサインインするか、アカウントを作成してください。",
      signIn: "サインインして承諾",
      signUp: "アカウントを作成して承諾",
    },
    other: {
      title: "この招待は別のメールアドレス宛てです",
      text: "{email} としてサインインしています。招待が届いたメールアドレスでサインインしてください。",
      signOut: "別のアカウントを使用",
    },
    unverified: {
      title: "先にメールアドレスを確認してください",
      text: "この招待は {email} の所有者だけが表示できます。このページに戻るリンクをお送りします。",
      send: "リンクを送信",
      sent: "リンクを送信しました。このブラウザーで開いてください。",
      code: "この招待は {email} の所有者だけが表示できます。コードをお送りします。",
      sendCode: "コードを送信",
    },
    gone: {
      title: "この招待は無効になりました",
      text: "回答済み、取り消し済み、または期限切れです。新しい招待を依頼してください。",
    },
  },
  page: {
    language: "言語",
    terms: "利用規約",
    privacy: "プライバシー",
    support: "サポート",
    or: "または",
    back: "戻る",
    cancel: "キャンセル",
    retry: "再試行",
    continue: "続ける",
    goToApplication: "{name} に移動",
    loading: "読み込み中",
    offline: "オフラインです。接続が回復すると、このページは再開します。",
    showPassword: "パスワードを表示",
    hidePassword: "パスワードを非表示",
    codeHint: "最後の桁を入力すると、コードがすぐに確認されます。",
  },
  password: {
    newPassword: "新しいパスワード",
    strength1: "弱い",
    strength2: "普通",
    strength3: "良い",
    strength4: "強い",
    hint: "{count, plural, other {# 文字以上。}}",
    tooShort: "{count, plural, other {# 文字以上にしてください。}}",
    tooLong: "もっと短いパスワードを設定してください。",
    backToSignIn: "サインインに戻る",
    forgot: {
      title: "パスワードの再設定",
      text: "メールアドレスを入力してください。新しいパスワードを設定するためのリンクをお送りします。",
      submit: "リンクを送信",
      code: "メールアドレスを入力してください。新しいパスワードを設定するためのコードをお送りします。",
      sendCode: "コードを送信",
    },
    sent: {
      title: "メールをご確認ください",
      text: "{email} のアカウントがある場合は、リンクが届きます。使用できるのは 1 回だけで、有効期限は短時間です。",
      code: "{email} のアカウントがある場合は、コードが届きます。新しいパスワードを設定するには、コードを入力してください。",
    },
    reset: {
      title: "新しいパスワードを設定",
      submit: "パスワードを保存",
      keysStay:
        "メールアドレスの確認が完了していなかった場合は、API キーが削除されることがあります。それ以外の場合は引き続き使用できます。",
      keysEnd:
        "あなたとしてサインインできる API キーは削除されます。メールアドレスの確認が完了していなかった場合は、ほかのキーも削除されることがあります。",
      claim:
        "このアカウントではメールアドレスが完全に確認されていないため、別の人が登録した可能性があります。現在のパスワードは新しいパスワードに置き換わります。",
      removes: "保存すると、次のものも削除されます。",
    },
    changed: {
      title: "パスワードが変更されました",
      text: "新しいパスワードでサインインしてください。",
      signIn: "サインイン",
    },
    linkFailed: {
      title: "このリンクは使用できませんでした",
      text: "使用済みか、有効期限が切れています。新しいリンクをリクエストしてください。",
      again: "新しいリンクをリクエスト",
    },
  },
  secondFactor: {
    title: "ご本人確認",
    app: {
      label: "認証アプリのコード",
      hint: "認証アプリに表示されたコードを入力してください。",
      use: "認証アプリを使用",
    },
    mail: {
      label: "メールのコード",
      hint: "コードをメールでお送りします。有効期間は数分間です。",
      use: "メールのコードを使用",
      send: "コードをメールで送信",
      sent: "コードをメールで送信しました。",
      resend: "コードを再送信",
    },
    backup: {
      label: "バックアップコード",
      hint: "保存したバックアップコードの 1 つを入力してください。各コードは 1 回だけ使用できます。",
      use: "バックアップコードを使用",
    },
    trust: "このブラウザーを信頼する",
    submit: "確認",
    expired: "このサインインは有効期限が切れました。もう一度サインインしてください。",
    tooMany: "誤ったコードが何度も入力されました。もう一度サインインしてください。",
    enrolment: {
      title: "2 要素認証を設定",
      text: "このアカウントには 2 要素認証が必要です。続行するには認証アプリを設定してください。",
      action: "アプリを設定",
    },
  },
  signIn: {
    manageUsers: "サインインしたままにする人を選ぶ",
    title: "{name} にサインイン",
    email: "メールアドレス",
    emailOrUsername: "メールアドレスまたはユーザー名",
    password: "パスワード",
    enterEmail: "メールアドレスを入力してください。",
    enterEmailOrUsername: "メールアドレスまたはユーザー名を入力してください。",
    enterPassword: "パスワードを入力してください。",
    submit: "サインイン",
    forgot: "パスワードをお忘れですか？",
    stay: "サインインしたままにする",
    noAccount: "アカウントをお持ちでない場合",
    signUp: "アカウントを作成",
    continueWith: "{name} で続ける",
    otherWays: "その他の方法",
    lastUsed: "前回使用",
    mailLink: "サインイン用リンクをメールで受け取る",
    mailCode: "コードをメールで受け取る",
    textCode: "コードを SMS で受け取る",
    passkey: "パスキーでサインイン",
    linkSent: {
      title: "メールをご確認ください",
      text: "{email} でサインインできる場合は、リンクが届きます。このブラウザーで開いてください。",
      resend: "リンクを再送信",
      again: "リンクを再送信しました。",
    },
    codeSent: {
      title: "コードを入力してください",
      text: "{recipient} でサインインできる場合は、コードが届きます。",
      code: "コード",
      resend: "コードを再送信",
      again: "コードを再送信しました。",
    },
    claim: {
      password: "パスワード",
      accounts: "連携アカウント",
      passkeys: "パスキー",
      secondFactor: "2 段階認証",
      phoneNumber: "電話番号",
      rest: "ほかのすべてのデバイスからサインアウトされ、API キーは無効になります。",
    },
    ended: "セッションが終了しました。続けるには、もう一度サインインしてください。",
    created: "アカウントを作成しました。続けるには、サインインしてください。",
    signedOut: "サインアウトしました。",
  },
  signUp: {
    title: "アカウントを作成",
    guest:
      "現在ゲストとして利用中です。内容を引き継ぐには、アカウントを作成するかサインインしてください。",
    lead: "{name} を利用するには、アカウントが必要です。",
    name: "名前",
    enterName: "名前を入力してください。",
    username: "ユーザー名（任意）",
    submit: "アカウントを作成",
    hasAccount: "すでにアカウントをお持ちの場合",
    signIn: "サインイン",
    complete: {
      title: "プロフィールを入力してください",
      text: "アカウントを作成するには、{name} にこれらの情報が必要です。",
      again: "続行するには、{name} にこの情報が必要です。",
    },
    closed: {
      title: "新規登録は受け付けていません",
      text: "アカウントは招待を受けた場合にのみ作成されます。",
    },
  },
  verification: {
    title: "メールアドレスを確認してください",
    link: "{email} にリンクをお送りしました。リンクを開いてメールアドレスを確認してから、サインインしてください。",
    code: "{email} にコードをお送りしました。コードを入力してメールアドレスを確認してください。",
    either:
      "{email} にコードとリンクをお送りしました。コードを入力するか、リンクを開いてください。",
    unknown: "メールアドレスと、お送りしたコードを入力してください。",
    linkUnknown: "メールアドレスにお送りしたリンクを開くか、もう一度リクエストしてください。",
    submit: "メールアドレスを確認",
    resend: "再送信",
    again: "このメールアドレスがまだ確認されていない場合は、メールがもう一度届きます。",
    claim:
      "このアカウントでは {email} が一度も確認されていないため、別の人が登録した可能性があります。このコードで確認すると、次のものが削除されます。",
    remove: "削除して確認",
  },
};
