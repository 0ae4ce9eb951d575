/** The words of a document around what was shown, in one language. */
export interface DocumentWords {
  readonly signed: string;
  readonly received: string;
  readonly opened: string;
  readonly pool: string;
  readonly form: string;
  readonly booking: string;
  readonly day: string;
  readonly activities: string;
  readonly guest: string;
  readonly signer: string;
  readonly guardian: string;
  readonly agreed: string;
  readonly notAgreed: string;
  readonly initials: string;
  readonly drawn: string;
  readonly typed: string;
  readonly photo: string;
  readonly noAnswer: string;
  readonly erased: string;
  /** Of a copy without answers on health. */
  readonly withoutHealth: string;
  readonly yes: string;
  readonly no: string;
  readonly voided: string;
  readonly corrected: string;
  readonly provenance: string;
  readonly rendering: string;
  readonly verify: string;
  readonly record: string;
  readonly number: string;
  readonly head: string;
  readonly sealed: string;
  readonly pending: string;
  readonly stamp: string;
  readonly address: string;
  readonly device: string;
  readonly deviceClock: string;
  /** Of a returning guest, who confirmed what was signed before. */
  readonly reuse: string;
  readonly reuseAt: string;
  readonly reuseQuestion: string;
  readonly reuseYes: string;
  readonly reuseHealth: string;
  readonly reuseNo: string;
  readonly reuseBy: string;
  readonly byLink: string;
  readonly byCode: string;
  readonly signedVersion: string;
  readonly validUntil: string;
  readonly reuseOriginal: string;
}

const en: DocumentWords = {
  signed: 'Signed',
  received: 'Received',
  opened: 'Opened',
  pool: 'Operator',
  form: 'Form',
  booking: 'Booking',
  day: 'Day',
  activities: 'Activities',
  guest: 'Guest',
  signer: 'Signer',
  guardian: 'Guardian',
  agreed: 'Agreed',
  notAgreed: 'Not agreed',
  initials: 'Initials',
  drawn: 'Signature, drawn',
  typed: 'Signature, typed',
  photo: 'Photo',
  noAnswer: 'no answer',
  erased: 'erased',
  withoutHealth:
    'Answers on health are not in this copy, nor are questions without an answer. The operator keeps the whole record.',
  yes: 'yes',
  no: 'no',
  voided: 'This waiver was voided',
  corrected: 'Answers were corrected later',
  provenance: 'Provenance',
  rendering: 'This document shows a sealed record. The record is the proof, not this document.',
  verify: 'The file evidence.json has the record. Anyone can verify it without our database:',
  record: 'Record (SHA-256)',
  number: 'Number in the chain',
  head: 'Head of the chain (SHA-256)',
  sealed: 'Head signed',
  pending: 'not yet in the chain',
  stamp: 'Stamped root (SHA-256)',
  address: 'IP address',
  device: 'Device',
  deviceClock: 'by the clock of the device',
  reuse: 'Confirmed again',
  reuseAt: 'Confirmed',
  reuseQuestion: 'Question',
  reuseYes: 'Answered yes',
  reuseHealth: 'Question about health',
  reuseNo: 'Answered no',
  reuseBy: 'Confirmed by',
  byLink: 'by the link that was sent to the guest',
  byCode: 'by a code that was mailed to the address',
  signedVersion: 'Signed version',
  validUntil: 'Valid until',
  reuseOriginal: 'What follows is what was signed',
};

const de: DocumentWords = {
  signed: 'Unterschrieben',
  received: 'Eingegangen',
  opened: 'Geöffnet',
  pool: 'Veranstalter',
  form: 'Formular',
  booking: 'Buchung',
  day: 'Tag',
  activities: 'Aktivitäten',
  guest: 'Gast',
  signer: 'Unterzeichnet von',
  guardian: 'Sorgeberechtigt',
  agreed: 'Zugestimmt',
  notAgreed: 'Nicht zugestimmt',
  initials: 'Namenszeichen',
  drawn: 'Unterschrift, gezeichnet',
  typed: 'Unterschrift, getippt',
  photo: 'Foto',
  noAnswer: 'keine Antwort',
  erased: 'gelöscht',
  withoutHealth:
    'Antworten zur Gesundheit stehen nicht in dieser Kopie, ebenso wenig Fragen ohne Antwort. Der Veranstalter behält den ganzen Datensatz.',
  yes: 'ja',
  no: 'nein',
  voided: 'Diese Erklärung wurde für ungültig erklärt',
  corrected: 'Antworten wurden später berichtigt',
  provenance: 'Herkunft',
  rendering:
    'Dieses Dokument zeigt einen versiegelten Datensatz. Der Beweis ist der Datensatz, nicht dieses Dokument.',
  verify: 'Die Datei evidence.json enthält den Datensatz. Jeder kann ihn ohne unsere Datenbank prüfen:',
  record: 'Datensatz (SHA-256)',
  number: 'Nummer in der Kette',
  head: 'Kopf der Kette (SHA-256)',
  sealed: 'Kopf signiert',
  pending: 'noch nicht in der Kette',
  stamp: 'Gestempelte Wurzel (SHA-256)',
  address: 'IP-Adresse',
  device: 'Gerät',
  deviceClock: 'nach der Uhr des Geräts',
  reuse: 'Erneut bestätigt',
  reuseAt: 'Bestätigt',
  reuseQuestion: 'Frage',
  reuseYes: 'Mit Ja beantwortet',
  reuseHealth: 'Frage zur Gesundheit',
  reuseNo: 'Mit Nein beantwortet',
  reuseBy: 'Bestätigt von',
  byLink: 'über den Link, der dem Gast geschickt wurde',
  byCode: 'mit einem Code, der an die Adresse geschickt wurde',
  signedVersion: 'Unterschriebene Version',
  validUntil: 'Gültig bis',
  reuseOriginal: 'Es folgt, was unterschrieben wurde',
};

const fr: DocumentWords = {
  signed: 'Signé',
  received: 'Reçu',
  opened: 'Ouvert',
  pool: 'Organisateur',
  form: 'Formulaire',
  booking: 'Réservation',
  day: 'Jour',
  activities: 'Activités',
  guest: 'Participant',
  signer: 'Signataire',
  guardian: 'Responsable légal',
  agreed: 'Accepté',
  notAgreed: 'Non accepté',
  initials: 'Paraphe',
  drawn: 'Signature dessinée',
  typed: 'Signature saisie',
  photo: 'Photo',
  noAnswer: 'sans réponse',
  erased: 'effacé',
  withoutHealth:
    'Les réponses sur la santé ne figurent pas dans cette copie, ni les questions sans réponse. L’organisateur conserve l’enregistrement complet.',
  yes: 'oui',
  no: 'non',
  voided: 'Cette décharge a été annulée',
  corrected: 'Des réponses ont été corrigées ensuite',
  provenance: 'Provenance',
  rendering: 'Ce document montre un enregistrement scellé. La preuve est l’enregistrement, non ce document.',
  verify:
    'Le fichier evidence.json contient l’enregistrement. Chacun peut le vérifier sans notre base de données :',
  record: 'Enregistrement (SHA-256)',
  number: 'Numéro dans la chaîne',
  head: 'Tête de la chaîne (SHA-256)',
  sealed: 'Tête signée',
  pending: 'pas encore dans la chaîne',
  stamp: 'Racine horodatée (SHA-256)',
  address: 'Adresse IP',
  device: 'Appareil',
  deviceClock: 'selon l’horloge de l’appareil',
  reuse: 'Confirmé de nouveau',
  reuseAt: 'Confirmé',
  reuseQuestion: 'Question',
  reuseYes: 'Réponse : oui',
  reuseHealth: 'Question sur la santé',
  reuseNo: 'Réponse : non',
  reuseBy: 'Confirmé par',
  byLink: 'par le lien envoyé à la personne',
  byCode: 'par un code envoyé à l’adresse',
  signedVersion: 'Version signée',
  validUntil: 'Valable jusqu’au',
  reuseOriginal: 'Voici ce qui a été signé',
};

const es: DocumentWords = {
  signed: 'Firmado',
  received: 'Recibido',
  opened: 'Abierto',
  pool: 'Organizador',
  form: 'Formulario',
  booking: 'Reserva',
  day: 'Día',
  activities: 'Actividades',
  guest: 'Participante',
  signer: 'Firmante',
  guardian: 'Tutor',
  agreed: 'Aceptado',
  notAgreed: 'No aceptado',
  initials: 'Iniciales',
  drawn: 'Firma dibujada',
  typed: 'Firma escrita',
  photo: 'Foto',
  noAnswer: 'sin respuesta',
  erased: 'borrado',
  withoutHealth:
    'Las respuestas sobre la salud no están en esta copia, ni las preguntas sin respuesta. El organizador conserva el registro completo.',
  yes: 'sí',
  no: 'no',
  voided: 'Esta declaración fue anulada',
  corrected: 'Se corrigieron respuestas después',
  provenance: 'Procedencia',
  rendering: 'Este documento muestra un registro sellado. La prueba es el registro, no este documento.',
  verify:
    'El archivo evidence.json contiene el registro. Cualquiera puede verificarlo sin nuestra base de datos:',
  record: 'Registro (SHA-256)',
  number: 'Número en la cadena',
  head: 'Cabeza de la cadena (SHA-256)',
  sealed: 'Cabeza firmada',
  pending: 'todavía no está en la cadena',
  stamp: 'Raíz sellada (SHA-256)',
  address: 'Dirección IP',
  device: 'Dispositivo',
  deviceClock: 'según el reloj del dispositivo',
  reuse: 'Confirmado de nuevo',
  reuseAt: 'Confirmado',
  reuseQuestion: 'Pregunta',
  reuseYes: 'Respuesta: sí',
  reuseHealth: 'Pregunta sobre la salud',
  reuseNo: 'Respuesta: no',
  reuseBy: 'Confirmado por',
  byLink: 'con el enlace enviado a la persona',
  byCode: 'con un código enviado a la dirección',
  signedVersion: 'Versión firmada',
  validUntil: 'Válido hasta',
  reuseOriginal: 'A continuación, lo que se firmó',
};

const cs: DocumentWords = {
  signed: 'Podepsáno',
  received: 'Přijato',
  opened: 'Otevřeno',
  pool: 'Pořadatel',
  form: 'Formulář',
  booking: 'Rezervace',
  day: 'Den',
  activities: 'Aktivity',
  guest: 'Účastník',
  signer: 'Podepisující',
  guardian: 'Zákonný zástupce',
  agreed: 'Souhlas',
  notAgreed: 'Bez souhlasu',
  initials: 'Parafa',
  drawn: 'Podpis, nakreslený',
  typed: 'Podpis, napsaný',
  photo: 'Fotografie',
  noAnswer: 'bez odpovědi',
  erased: 'vymazáno',
  withoutHealth:
    'Odpovědi o zdraví v této kopii nejsou, ani otázky bez odpovědi. Celý záznam uchovává pořadatel.',
  yes: 'ano',
  no: 'ne',
  voided: 'Toto prohlášení bylo zneplatněno',
  corrected: 'Odpovědi byly později opraveny',
  provenance: 'Původ',
  rendering: 'Tento dokument ukazuje zapečetěný záznam. Důkazem je záznam, nikoli tento dokument.',
  verify: 'Záznam je v souboru evidence.json. Kdokoli jej může ověřit bez naší databáze:',
  record: 'Záznam (SHA-256)',
  number: 'Číslo v řetězu',
  head: 'Hlava řetězu (SHA-256)',
  sealed: 'Hlava podepsána',
  pending: 'zatím není v řetězu',
  stamp: 'Kořen s razítkem (SHA-256)',
  address: 'IP adresa',
  device: 'Zařízení',
  deviceClock: 'podle hodin zařízení',
  reuse: 'Znovu potvrzeno',
  reuseAt: 'Potvrzeno',
  reuseQuestion: 'Otázka',
  reuseYes: 'Odpověď: ano',
  reuseHealth: 'Otázka o zdraví',
  reuseNo: 'Odpověď: ne',
  reuseBy: 'Potvrdil(a)',
  byLink: 'odkazem, který byl hostovi zaslán',
  byCode: 'kódem, který byl zaslán na adresu',
  signedVersion: 'Podepsaná verze',
  validUntil: 'Platí do',
  reuseOriginal: 'Následuje, co bylo podepsáno',
};

const ar: DocumentWords = {
  signed: 'تاريخ التوقيع',
  received: 'تاريخ الاستلام',
  opened: 'تاريخ الفتح',
  pool: 'الجهة المنظمة',
  form: 'النموذج',
  booking: 'الحجز',
  day: 'اليوم',
  activities: 'الأنشطة',
  guest: 'المشارك',
  signer: 'الموقّع',
  guardian: 'ولي الأمر',
  agreed: 'تمت الموافقة',
  notAgreed: 'لم تتم الموافقة',
  initials: 'الأحرف الأولى',
  drawn: 'توقيع مرسوم',
  typed: 'توقيع مكتوب',
  photo: 'صورة',
  noAnswer: 'بدون إجابة',
  erased: 'تم المحو',
  withoutHealth:
    'لا تتضمن هذه النسخة الإجابات عن الصحة ولا الأسئلة التي بلا إجابة. تحتفظ الجهة المنظمة بالسجل كاملًا.',
  yes: 'نعم',
  no: 'لا',
  voided: 'أُلغي هذا الإقرار',
  corrected: 'صُحّحت إجابات لاحقًا',
  provenance: 'المصدر',
  rendering: 'تعرض هذه الوثيقة سجلًا مختومًا. الدليل هو السجل، لا هذه الوثيقة.',
  verify: 'السجل في الملف evidence.json، ويمكن لأي شخص التحقق منه من دون قاعدة بياناتنا:',
  record: 'السجل (SHA-256)',
  number: 'الرقم في السلسلة',
  head: 'رأس السلسلة (SHA-256)',
  sealed: 'تاريخ توقيع الرأس',
  pending: 'ليس في السلسلة بعد',
  stamp: 'الجذر المختوم (SHA-256)',
  address: 'عنوان IP',
  device: 'الجهاز',
  deviceClock: 'حسب ساعة الجهاز',
  reuse: 'تأكيد جديد',
  reuseAt: 'تم التأكيد',
  reuseQuestion: 'السؤال',
  reuseYes: 'الإجابة: نعم',
  reuseHealth: 'السؤال عن الصحة',
  reuseNo: 'الإجابة: لا',
  reuseBy: 'أكّده',
  byLink: 'عبر الرابط المرسل إلى الضيف',
  byCode: 'برمز أُرسل إلى العنوان',
  signedVersion: 'النسخة الموقّعة',
  validUntil: 'صالح حتى',
  reuseOriginal: 'فيما يلي ما تم توقيعه',
};

const languages: Readonly<Record<string, DocumentWords>> = { en, de, fr, es, cs, ar };

/** The words for a language tag: those of `de` for `de-AT`, English where there are none. */
export function documentWords(language: string): DocumentWords {
  const base = language.split('-')[0]?.toLowerCase() ?? '';
  return (Object.hasOwn(languages, base) ? languages[base] : undefined) ?? en;
}
