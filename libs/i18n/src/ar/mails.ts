import type { mails as english } from "../en/mails.ts";
import type { Translated } from "../message.ts";

/** The Arabic texts of the mails. They are read from right to left. */
export const mails: Translated<typeof english> = {
  "greeting.named": "مرحبًا {name}،",
  "greeting.plain": "مرحبًا،",
  "link.fallback": "إذا لم يعمل الزر، فافتح هذا العنوان:",
  "foot.support": "هل لديك أسئلة؟ راسِلنا على {address}",
  "foot.terms": "شروط الخدمة",
  "foot.privacy": "سياسة الخصوصية",
  "code.expiry": "تنتهي صلاحية الرمز في {time}، ولا يمكن استخدامه إلا مرة واحدة.",
  "code.warning": "لن يطلب منك أي شخص من {app} هذا الرمز. لا تُعطه لأحد.",
  "browser.onSystem":
    "{browser} على {system, select, iPhone {جهاز iPhone} iPad {جهاز iPad} other {{system}}}",
  "browser.unknown": "متصفح غير معروف",
  "browser.atAddress": "{browser}، من عنوان IP {address}",
  "verification.subject": "أكِّد عنوان بريدك الإلكتروني في {app}",
  "verification.lead": "يُرجى تأكيد أن هذا هو عنوان بريدك الإلكتروني في {app}.",
  "verification.action": "تأكيد عنوان البريد الإلكتروني",
  "verification.footer": "إذا لم تطلب ذلك، فيمكنك تجاهل هذه الرسالة.",
  "passwordReset.subject": "أعِد تعيين كلمة المرور في {app}",
  "passwordReset.lead": "طلب شخص ما، وربما أنت، تعيين كلمة مرور جديدة لحسابك في {app}.",
  "passwordReset.action": "اختيار كلمة مرور جديدة",
  "passwordReset.footer":
    "إذا لم تكن أنت من طلب ذلك، فيمكنك تجاهل هذه الرسالة: ستبقى كلمة المرور كما هي.",
  "userInvitation.subject": "لديك دعوة إلى {app}",
  "userInvitation.lead":
    "أُنشئ لك حساب في {app}. اختر كلمة مرور لتسجيل الدخول. لا يعمل الرابط إلا مرة واحدة{hasExpiry, select, yes {، حتى {time}} other {}}.",
  "userInvitation.action": "اختيار كلمة مرور",
  "userInvitation.footer":
    "إذا لم تكن تتوقع هذه الرسالة، فيمكنك تجاهلها: لا يمكن لأحد تسجيل الدخول من دون كلمة مرور.",
  "accountDeletion.subject": "أكِّد حذف حسابك في {app}",
  "accountDeletion.lead": "يُرجى تأكيد رغبتك في حذف حسابك في {app}. لا يمكن التراجع عن ذلك.",
  "accountDeletion.action": "حذف حسابي",
  "accountDeletion.footer": "إذا لم تطلب ذلك، فلا تفتح الرابط: سيبقى حسابك كما هو.",
  "accountLinked.subject": "تم ربط حساب {provider}",
  "accountLinked.lead":
    "تم ربط حساب {provider} بحسابك في {app}، ويمكن استخدامه لتسجيل الدخول من الآن فصاعدًا.",
  "accountLinked.footer":
    "إذا لم تكن أنت من فعل ذلك، فقد يكون بإمكان شخص آخر الوصول إلى حسابك: غيِّر كلمة المرور في {app}، وألغِ ربط حساب {provider}.",
  "claimed.subject": "أُزيلت طرق لتسجيل الدخول إلى {app}",
  "claimed.lead":
    "تم تأكيد عنوان بريدك الإلكتروني لحسابك في {app}. لم يكن مؤكَّدًا من قبل، فربما أنشأ الحساب شخص آخر. أُزيل ما يلي: {ended}. سُجِّلت جميع الأجهزة الأخرى خروجًا، ولم تعد مفاتيح API السابقة تعمل.",
  "claimed.choose": "اختر كلمة مرور جديدة عبر هذا الرابط. لا يعمل إلا مرة واحدة.",
  "claimed.action": "اختيار كلمة مرور جديدة",
  "claimed.footer":
    "إذا لم تكن أنت من فعل ذلك، فبإمكان شخص آخر قراءة بريدك: غيِّر كلمة مرور صندوق بريدك، وتواصل مع دعم {app}.",
  "claimed.password": "كلمة المرور",
  "claimed.accounts": "الحسابات المرتبطة",
  "claimed.passkeys": "مفاتيح المرور",
  "claimed.secondFactor": "العامل الثاني",
  "claimed.phoneNumber": "رقم الهاتف",
  "webhookPaused.subject": "تم إيقاف إرسال الأحداث إلى {place} مؤقتًا",
  "webhookPaused.lead":
    "يفشل الإرسال إلى الويب هوك {place} منذ {time}. لذلك تم إيقافه مؤقتًا، ولن تُرسل إليه أحداث أخرى.",
  "webhookPaused.footer":
    "تُحفظ الأحداث التي تقع في هذه الأثناء لمدة محدودة. عندما يستجيب المستقبِل مجددًا، استأنف الويب هوك في {app}، وعندها ستُرسل الأحداث المنتظرة.",
  "emailChange.subject": "أكِّد عنوان بريدك الإلكتروني الجديد في {app}",
  "emailChange.lead": "يُرجى تأكيد تغيير عنوان بريدك الإلكتروني في {app} إلى {newEmail}.",
  "emailChange.action": "تغيير عنوان البريد الإلكتروني",
  "emailChange.footer": "إذا لم تطلب ذلك، فلا تفتح الرابط، وغيِّر كلمة المرور.",
  "accountsMerged.subject": "تم دمج حساباتك في {app}",
  "accountsMerged.lead":
    "دمج أحد مسؤولي {app} حسابين في {time}: أصبح {mergedEmail} جزءًا من {email}. سجِّل الدخول من الآن فصاعدًا باستخدام {email}.",
  "accountsMerged.footer":
    "إذا لم يكن كلا الحسابين لك أو لم تكن موافقًا، فتواصل مع فريق دعم {app} قبل {until}. يمكن التراجع عن الدمج حتى ذلك الحين.",
  "accountsSeparated.subject": "تم التراجع عن دمج حساباتك في {app}",
  "accountsSeparated.lead":
    "تراجع أحد مسؤولي {app} عن دمج حسابين في {time}: أصبح {email} و{mergedEmail} حسابين منفصلين من جديد. سجِّل الدخول إلى كل منهما ببريده الإلكتروني. وقد انتهت جميع جلسات {email}.",
  "accountsSeparated.footer":
    "إذا لم تكن موافقًا أو لم يكن أحد الحسابين لك، فتواصل مع فريق دعم {app}.",
  "emailChanged.subject": "تم تغيير عنوان بريدك الإلكتروني في {app}",
  "emailChanged.lead":
    "تم تغيير عنوان البريد الإلكتروني لحسابك في {app} إلى {newEmail}. إذا لم تكن أنت من فعل ذلك، فيمكنك التراجع عن التغيير عبر هذا الرابط{hasExpiry, select, yes { حتى {time}} other {}}. سيتم أيضًا تسجيل الخروج من جميع الأجهزة، وستختار كلمة مرور جديدة.",
  "emailChanged.action": "التراجع عن التغيير",
  "emailChanged.footer": "إذا غيَّرت العنوان بنفسك، فلا تفتح الرابط: لا يلزمك فعل أي شيء.",
  "signInLink.subject": "رابط تسجيل الدخول إلى {app}",
  "signInLink.lead":
    "افتح هذا الرابط لتسجيل الدخول إلى {app}. تنتهي صلاحيته في {time}، ولا يعمل إلا مرة واحدة. لن يطلب منك أي شخص من {app} هذا الرابط. لا تُعطه لأحد.",
  "signInLink.action": "تسجيل الدخول",
  "signInLink.footer":
    "إذا لم تطلب ذلك، فلا تفتح الرابط، وتجاهل هذه الرسالة: لا يمكن لأحد تسجيل الدخول من دون الرابط.",
  "invitation.subject":
    "دعوة للانضمام إلى {hasOrganization, select, yes {{organization}} other {مؤسسة}} في {app}",
  "invitation.lead":
    "يدعوك {inviter} للانضمام إلى {hasOrganization, select, yes {{organization}} other {مؤسسة}} في {app}. تنتهي الدعوة في {time}.",
  "invitation.action": "قبول الدعوة",
  "invitation.footer":
    "إذا كنت لا تعرف صاحب الدعوة، فيمكنك تجاهل هذه الرسالة: لن يحدث أي شيء من دونك.",
  "twoFactorCode.subject": "أكِّد هويتك في {app}",
  "twoFactorCode.lead": "أدخِل هذا الرمز في {app} لتأكيد هويتك. إنه عامل التحقق الثاني لحسابك.",
  "twoFactorCode.footer":
    "إذا لم تطلب ذلك، فقد يعرف شخص آخر كلمة المرور الخاصة بك: غيِّر كلمة المرور في {app}.",
  "emailCode.signIn.subject": "رمز تسجيل الدخول إلى {app}",
  "emailCode.signIn.lead": "أدخِل هذا الرمز لتسجيل الدخول إلى {app}.",
  "emailCode.signIn.footer":
    "إذا لم تطلب ذلك، فيمكنك تجاهل هذه الرسالة: لا يمكن لأحد تسجيل الدخول من دون الرمز.",
  "emailCode.verification.subject": "أكِّد عنوان بريدك الإلكتروني في {app}",
  "emailCode.verification.lead": "أدخِل هذا الرمز لتأكيد أن هذا هو عنوان بريدك الإلكتروني في {app}.",
  "emailCode.verification.footer": "إذا لم تطلب ذلك، فيمكنك تجاهل هذه الرسالة.",
  "emailCode.password.subject": "أعِد تعيين كلمة المرور في {app}",
  "emailCode.password.lead": "أدخِل هذا الرمز لتعيين كلمة مرور جديدة لحسابك في {app}.",
  "emailCode.password.footer":
    "إذا لم تطلب ذلك، فيمكنك تجاهل هذه الرسالة: ستبقى كلمة المرور كما هي.",
  "emailCode.change.subject": "أكِّد عنوان بريدك الإلكتروني الجديد في {app}",
  "emailCode.change.lead":
    "أدخِل هذا الرمز لاستخدام عنوان البريد الإلكتروني هذا لحسابك في {app} من الآن فصاعدًا.",
  "emailCode.change.footer":
    "إذا لم تطلب ذلك، فيمكنك تجاهل هذه الرسالة: لن يتغير أي شيء من دون الرمز.",
  "twoFactorEnabled.subject": "تم تفعيل عامل التحقق الثاني في {app}",
  "twoFactorEnabled.lead":
    "تم تفعيل عامل التحقق الثاني لحسابك في {app}. يتطلب تسجيل الدخول رمزًا من الآن فصاعدًا.",
  "twoFactorEnabled.footer":
    "إذا لم تكن أنت من فعل ذلك، فإن شخصًا آخر يمكنه الوصول إلى حسابك: غيِّر كلمة المرور في {app}، وتواصل مع فريق الدعم.",
  "twoFactorDisabled.subject": "تم إيقاف عامل التحقق الثاني في {app}",
  "twoFactorDisabled.lead":
    "تم إيقاف عامل التحقق الثاني لحسابك في {app}. لم يعد تسجيل الدخول يتطلب رمزًا.",
  "twoFactorDisabled.footer":
    "إذا لم تكن أنت من فعل ذلك، فإن شخصًا آخر يمكنه الوصول إلى حسابك: غيِّر كلمة المرور في {app}، وأعِد تفعيل عامل التحقق الثاني.",
  "twoFactorReset.subject": "تمت إزالة عامل التحقق الثاني في {app}",
  "twoFactorReset.lead":
    "أزال أحد مسؤولي {app} عامل التحقق الثاني لحسابك. تم تسجيل الخروج من جميع الأجهزة.",
  "twoFactorReset.footer":
    "سجِّل الدخول إلى {app}، وأعِد إعداد عامل تحقق ثانٍ. إذا لم تطلب ذلك، فغيِّر كلمة المرور وتواصل مع فريق دعم {app}.",
  "twoFactorLocked.subject": "عامل التحقق الثاني في {app} مقفل",
  "twoFactorLocked.lead":
    "تم إدخال عدد كبير من الرموز الخاطئة لعامل التحقق الثاني لحسابك في {app}. وهو مقفل حتى {time}.",
  "twoFactorLocked.footer":
    "إذا لم تكن أنت من فعل ذلك، فقد يعرف شخص آخر كلمة المرور الخاصة بك: غيِّر كلمة المرور في {app}. لا يمكن لأحد تسجيل الدخول برموز خاطئة.",
  "twoFactorRequired.subject": "أعِدّ عامل تحقق ثانيًا في {app}",
  "twoFactorRequired.lead":
    "سيتطلب حسابك في {app} عامل تحقق ثانيًا ابتداءً من {time}. يُرجى إعداده قبل ذلك، وإلا فسيُطلب منك إعداده عند تسجيل الدخول التالي.",
  "twoFactorRequired.footer":
    "افتح {app} بالطريقة المعتادة: لا تحتوي هذه الرسالة على أي رابط، ولن يطلب منك أي شخص من {app} رمزًا.",
  "backupCodeUsed.subject": "تم استخدام رمز احتياطي في {app}",
  "backupCodeUsed.lead":
    "تم استخدام رمز احتياطي لحسابك في {app}. {codesLeft, plural, =0 {لم يتبقَّ أي رمز احتياطي} zero {لم يتبقَّ أي رمز احتياطي} one {تبقَّى رمز احتياطي واحد} two {تبقَّى رمزان احتياطيان} few {تبقَّت # رموز احتياطية} many {تبقَّى # رمزًا احتياطيًا} other {تبقَّى # رمز احتياطي}}.",
  "backupCodeUsed.footer":
    "إذا لم تكن أنت من فعل ذلك، فإن شخصًا آخر يملك رموزك الاحتياطية: غيِّر كلمة المرور في {app}، وأنشئ رموزًا احتياطية جديدة.",
  "backupCodesGenerated.subject": "تم إنشاء رموز احتياطية جديدة في {app}",
  "backupCodesGenerated.lead":
    "تم إنشاء رموز احتياطية جديدة لحسابك في {app}. لم تعد الرموز السابقة صالحة.",
  "backupCodesGenerated.footer":
    "إذا لم تكن أنت من فعل ذلك، فإن شخصًا آخر يمكنه الوصول إلى حسابك: غيِّر كلمة المرور في {app}، وأنشئ رموزًا احتياطية جديدة.",
  "passkeyAdded.subject": "تمت إضافة مفتاح مرور إلى حسابك في {app}",
  "passkeyAdded.lead":
    "{hasLabel, select, yes {تمت إضافة مفتاح المرور «{label}»} other {تمت إضافة مفتاح مرور}} إلى حسابك في {app} ({origin}). يمكن استخدامه لتسجيل الدخول من الآن فصاعدًا.",
  "passkeyAdded.footer":
    "إذا لم تكن أنت من فعل ذلك، فإن شخصًا آخر يمكنه الوصول إلى حسابك: أزِل مفتاح المرور في {app}، وغيِّر كلمة المرور.",
  "passwordCompromised.subject": "اختر كلمة مرور جديدة لحسابك في {app}",
  "passwordCompromised.lead":
    "سجّلت الدخول إلى {app} بكلمة مرور معروفة من تسريبات مواقع أخرى. قد يجرّبها آخرون، لذا اختر كلمة أخرى في حسابك.",
  "passwordCompromised.footer":
    "لا توجد مشكلة أخرى: لا أحد في {app} يعرف كلمة مرورك، وهذه الرسالة لا تحتوي على رابط عن قصد. غيّرها أيضًا في كل مكان آخر تستخدمها فيه.",
  "browserAdded.subject": "تسجيل دخول جديد إلى {app}",
  "browserAdded.lead":
    "سجّل شخص الدخول إلى حسابك في {app} ({origin}). لم تسجّل الدخول من هناك من قبل.",
  "browserAdded.footer":
    "إن كنت أنت، فلا حاجة إلى أي إجراء. وإلا فغيّر كلمة المرور في {app} وأنهِ الجلسة.",
  "apiKeyAdded.subject": "تم إنشاء مفتاح API في {app}",
  "apiKeyAdded.lead":
    "{hasLabel, select, yes {تم إنشاء مفتاح API باسم «{label}»} other {تم إنشاء مفتاح API}} {owner, select, organization {لإحدى المؤسسات} other {لحسابك}} في {app} ({creator, select, admin {من قِبل الإدارة} other {{origin}}}). {opensSessions, select, yes {يمكن لأي برنامج يملك المفتاح أن يتصرف باسمك.} other {احذف المفاتيح التي لم يعد أحد يحتاج إليها.}}",
  "apiKeyAdded.footer":
    "إذا لم تكن تتوقع ذلك، فقد يملك شخص آخر إمكانية الوصول إلى حسابك: احذف المفتاح في {app}، وغيِّر كلمة المرور.",
  "passkeyRemoved.subject": "تمت إزالة مفتاح مرور من حسابك في {app}",
  "passkeyRemoved.lead":
    "{hasLabel, select, yes {تمت إزالة مفتاح المرور «{label}»} other {تمت إزالة مفتاح مرور}} من حسابك في {app}. لم يعد بالإمكان استخدامه لتسجيل الدخول.",
  "passkeyRemoved.footer":
    "إذا لم تطلب ذلك، فقد يكون بإمكان شخص آخر الوصول إلى حسابك: غيِّر كلمة المرور في {app}، وتحقَّق من مفاتيح المرور.",
  "phoneCode.subject": "رمز {app}",
  "phoneCode.phone-number": "رمزك في {app} هو {code}. لا تخبر به أحدًا.",
  "phoneCode.phone-password-reset":
    "رمزك لتعيين كلمة مرور جديدة في {app} هو {code}. لا تخبر به أحدًا.",
  "phoneNumberChanged.subject": "تم تغيير رقم هاتف حسابك في {app}",
  "phoneNumberChanged.lead":
    "{change, select, added {تم تعيين رقم هاتف لحسابك في {app}. يمكن استخدامه لتسجيل الدخول إلى حسابك من الآن فصاعدًا.} removed {تمت إزالة رقم هاتف حسابك في {app}. لم يعد بالإمكان استخدامه لتسجيل الدخول.} other {أثبت شخص آخر أنه يستقبل الرسائل النصية على رقم هاتف حسابك في {app}. لم تستخدمه منذ مدة طويلة، لذلك أُزيل من حسابك.}}",
  "phoneNumberChanged.footer":
    "إذا لم تكن تتوقع ذلك، فقد يكون بإمكان شخص آخر الوصول إلى حسابك: تحقَّق من رقم هاتفك في {app}، وغيِّر كلمة المرور.",
  "passkeyRefused.subject": "تم رفض تسجيل دخول بمفتاح مرور في {app}",
  "passkeyRefused.lead":
    "تم رفض تسجيل دخول إلى حسابك في {app}، لأن {hasLabel, select, yes {مفتاح المرور «{label}»} other {مفتاح المرور}} ربما تم نسخه.",
  "passkeyRefused.footer":
    "أزِل مفتاح المرور هذا في {app}، وأضِف مفتاحًا جديدًا. إذا لم يكن تسجيل الدخول منك، فقد يملك شخص آخر نسخة من مفتاح المرور.",
};
