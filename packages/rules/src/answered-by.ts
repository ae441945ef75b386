/** People and machines that answer a phone, told apart by their first words in English, Spanish, German and French. */

/** Those who answer; `unavailable` is a machine that takes no message, `ai` a program that talks. */
type Speaker = 'human' | 'voicemail' | 'ivr' | 'screening' | 'unavailable' | 'ai';

/** The same as the library names them: it counts machines that screen calls among the menus. */
const LABELS = {
  human: 'human',
  ai: 'human',
  voicemail: 'machine-vm',
  unavailable: 'machine-unavailable',
  ivr: 'machine-ivr',
  screening: 'machine-ivr',
} as const satisfies Record<Speaker, string>;

/** Phrases, of which one in any language is enough. */
const any = (...phrases: string[]): RegExp => new RegExp(phrases.map((one) => `\\b(?:${one})`).join('|'));

/** A machine that takes no message now: a full mailbox, or a network that has nobody at the number. */
const UNAVAILABLE = any(
  '(?:mail ?box|voice ?mail) .{0,60}(?:full|not been set up|not set up|cannot accept)',
  '(?:number .{0,40}disconnected|no longer in service|not in service|switched off|out of coverage)\\b',
  '(?:mailbox|anrufbeantworter|sprachbox) .{0,40}(?:voll|nicht eingerichtet)\\b',
  'kein anschluss unter|nicht vergeben\\b',
  'buzon .{0,40}(?:lleno|no admite|no esta configurado)\\b',
  '(?:apagado|fuera de (?:cobertura|servicio)|numero .{0,30}no (?:existe|esta (?:en servicio|asignado)))\\b',
  '(?:messagerie|boite vocale|repondeur) .{0,40}(?:plein|saturee|ne peut plus)',
  "(?:n[' ]est (?:pas|plus) (?:attribue|en service)|hors service)",
);
/** The network speaks about whoever was called. */
const ANNOUNCED = any(
  "(?:person|party|customer|subscriber|number|user) (?:that )?you(?: have|'ve| are|'re)? (?:call|dial|reach|try)",
  'gewunschte (?:teilnehmer|gesprachspartner|person)|gewahlte (?:ruf)?nummer',
  '(?:teilnehmer|rufnummer) .{0,30}nicht (?:erreichbar|verfugbar)',
  '(?:persona|abonado|numero|telefono|usuario) (?:a la |al |a los )?que (?:usted )?(?:llama|ha llamado|marco|ha marcado|esta llamando)',
  '(?:votre correspondant|(?:numero|personne) (?:que vous|demande))',
);
/** A tone that somebody is to wait for. */
const TONE = any(
  '(?:at|after|wait for|following|hear) the (?:tone|beep|bleep|signal)',
  '(?:nach|auf|bis zum|warten sie den|horen sie den) (?:dem |den |diesem )?(?:signal|ton\\b|piep|pfeif)',
  '(?:tras|despues|escuch\\w+|oi[rga]\\w*|suene) (?:de )?(?:oir )?(?:el |la )?(?:senal|tono|pitido|bip)',
  '(?:apres|au|attendez) (?:le |la )?(?:bip|signal|tonalite)|(?:apres|attendez) (?:le )?top\\b',
);
/** A message that somebody is to leave, or what takes it. */
const RECORDS = any(
  'voice ?mail|answering (?:machine|service|system)|voice messag',
  '(?:leave|record|send)(?: (?:me|us))?(?: (?:a|an|your|the|my))?(?: (?:brief|short|detailed|quick|few))?(?: (?:message|name|number|words?|details|info))',
  'mailbox|anrufbeantworter|sprachbox|hinterlass',
  '(?:nachricht|namen|nummer) .{0,40}(?:hinterlassen|aufsprechen|sprechen|rufen wir|rufe ich)',
  'sprechen sie .{0,30}nach dem',
  'buzon|contestador|correo de voz',
  '(?:deje|deja|dejen|dejar|grab)\\w* .{0,30}(?:mensaje|nombre|recado|numero|telefono|datos)',
  'repondeur|messagerie|boite vocale|(?:laiss|enregistr)\\w* .{0,20}(?:message|nom|numero|coordonnees)',
);
/** Asked on behalf of somebody: who calls, and why. */
const SCREENING = any(
  "(?:reason|purpose) (?:for|of) (?:your |the |this )?call|why you(?:'re| are) calling",
  'screening|call (?:screen|assist)\\b|text call\\b',
  'grund (?:ihres|deines|fur (?:den|ihren|deinen)) anruf|worum es .{0,20}geht, (?:und|dann)',
  'anruf-?(?:filter|assistent)|filtert .{0,12}anrufe',
  'motivo de (?:la|su|tu) llamada|por que (?:esta |estas )?llama(?:s|ndo)?, (?:y|e)\\b',
  'filtr(?:o|ado) de llamadas|filtra .{0,12}llamadas',
  "(?:raison|motif|objet) de (?:votre|ton|l[' ]) ?appel|filtr(?:e|age) (?:ses|les|des|d[' ]) ?appels",
);
const NAME = any('name|who you are|namen|wer (?:sie sind|du bist)|nombre|quien (?:es|eres)|nom\\b|qui vous etes');
/** A name that somebody says is no name that is asked for. */
const OWN_NAME = /\b(?:my name|mein name|mi nombre|mon nom)\b/g;
/** Businesses offer help, also those whose name has a word of SCREENING. */
const HELPS = any(
  'how (?:can|may) (?:i|we) (?:help|assist|direct)|what can (?:i|we) do for you',
  '(?:wie|womit|was) (?:kann ich|konnen wir) .{0,20}(?:helfen|tun)',
  '(?:en que|como) (?:(?:le|te|lo|la) )?(?:puedo|podemos) (?:ayudar|servir|atender)',
  '(?:puis-je|pouvons-nous|peut-on) (?:vous )?(?:aider|renseigner)|que puis-je|en quoi puis-je',
);
/** A promise to ask that somebody, whatever came before. */
const CONNECTS = any(
  "(?:i'll|i will|we'll|we will) (?:see|check|find out) (?:if|whether)|try to (?:connect|reach)",
  '(?:prufe|sehe|schaue|frage) ich(?: nach)?, ob|ich (?:prufe|sehe|schaue|frage)(?: nach)?, ob|versuche .{0,20}zu (?:verbinden|erreichen)',
  '(?:vere|comprobare|mirare|voy a (?:ver|comprobar)) si|intentar(?:e|a|emos) (?:conectar|comunicar|pasar)',
  '(?:verrai|vais (?:voir|verifier)|verifie(?:rai)?) si|essaie(?:rai)? de vous (?:mettre|joindre)',
);
/** A message that is left is not passed on while the caller waits. */
const LEFT = any('leave', 'hinterlass', 'dej(?:e|a|en)\\b', 'laiss');
/** Machines, and those who answer phones for others, have somebody wait so. */
const HOLD = any(
  '(?:stay|remain|hold) on (?:the|this) line|please (?:hold|wait)|hold the line|connecting you|try to connect',
  '(?:bleiben|bleib) .{0,20}(?:leitung|apparat)|bitte warten|warten sie|(?:ich|wir) verbinde',
  'no cuelgue|(?:permanezca|mantenga(?:se)?) .{0,12}linea|le (?:paso|conecto|comunico)',
  'ne (?:raccrochez|quittez) pas|patient(?:ez|er)|restez en ligne|vous mets? en relation',
);
/** Said by a person who will go on in a moment. */
const MOMENT = any(
  '(?:one|just a|just one|a) (?:moment|second|sec|minute)\\b|hold on\\b|hang on\\b',
  '(?:einen|ein) (?:moment|augenblick)|(?:bleiben|bleib) .{0,20}dran',
  'un (?:momento|instante|segundo)|(?:espere|espera|aguarde)\\b',
  'un (?:instant|moment)\\b',
);
/** Asked with or without its mark, which recognizers may leave out: an answer is expected, and no silence. */
const QUESTION = any(
  "who(?:'s| is| are) (?:this|that|there|calling|speaking|you)|what(?:'s| is) (?:this|it|that)|(?:do|have) you (?:have|got)\\b",
  'wer (?:ist|sind|bist|spricht)|worum geht|haben sie|hast du',
  'quien (?:es|eres|habla|llama)|de parte de quien|tienes? un',
  "qui (?:est|etes|es)\\b|c'est (?:qui|pour quoi)|avez[- ]vous|vous avez|as[- ]tu|tu as",
);
/** Programs that talk say what they are. */
const AI = any(
  "(?:i(?:'m| am)|this is|you(?:'re| are) (?:speaking|talking) (?:to|with)|you(?:'ve| have) reached) .{0,40}(?:(?:virtual|digital|automated|artificial|ai|a\\.i\\.|voice) (?:assistant|agent|receptionist|intelligence)|an ai\\b)",
  '(?:ich bin|hier (?:ist|spricht)|sie sprechen mit) .{0,40}(?:(?:virtuelle|digitale|kunstliche|automatische)\\w* (?:\\w+)?(?:assisten|agent|intelligenz)|(?:ki|sprach)-?(?:assisten|agent)|eine ki\\b)',
  '(?:soy|le (?:atiende|habla)|habla con) .{0,40}(?:(?:asistente|agente|recepcionista) (?:virtual|digital|automatic|de voz)|inteligencia artificial)',
  '(?:je suis|vous parlez (?:a|avec)|ici) .{0,40}(?:(?:assistante?|agente?|receptionniste) (?:virtuel|vocal|numerique|automatique)|intelligence artificielle|une ia\\b)',
);
const KEY = {
  en: '(?:\\d|zero|one|two|three|four|five|six|seven|eight|nine|star|pound|hash|any key)\\b',
  de: '(?:\\d|null|eins|zwei|drei|vier|funf|sechs|sieben|acht|neun|raute|stern)',
  es: '(?:\\d|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|almohadilla|asterisco|numeral)\\b',
  fr: '(?:\\d|zero|un|deux|trois|quatre|cinq|six|sept|huit|neuf|diese|etoile)\\b',
};
/** A menu asks for keys, or for one of the words it knows. */
const MENU = any(
  `(?:press|dial|push|hit) (?:the )?(?:number |key )?${KEY.en}`,
  '(?:enter|key in) your .{0,40}(?:number|code|pin|digits?)|(?:the|your) (?:pound|hash|star) (?:key|sign)',
  "(?:know|dial) (?:your party'?s |the |an )?extension|for .{2,40}, say ",
  `(?:drucken|wahlen) sie (?:bitte )?(?:die )?${KEY.de}|(?:bestatigen|schliessen) sie .{0,30}(?:raute|stern)`,
  `uber die tastatur|sagen sie (?:mir )?(?:bitte )?(?:in wenigen worten|einfach)`,
  `(?:marque|pulse|presione|oprima|digite|teclee) (?:el |la |tecla )?${KEY.es}`,
  `(?:conoce|marque) (?:la|el numero de) extension|(?:introduzca|ingrese|teclee) .{0,40}(?:numero|codigo|clave)`,
  `(?:tapez|appuyez sur|composez) (?:le |la |touche )?${KEY.fr}|faites (?:le |la touche )${KEY.fr}`,
  `(?:saisissez|composez) votre .{0,30}(?:numero|code)|pour .{2,40}, (?:dites|tapez)`,
);
/** Said by those who do not hear an answer, unless they ask something: businesses answer so, too. */
const ABSENT = any(
  "you(?:'ve| have) (?:just )?(?:reached|missed)|(?:can'?t|cannot|unable to) (?:come|get|make it) to the phone",
  "(?:can'?t|cannot|unable to) (?:take|answer) your call",
  '(?:kann|konnen) .{0,30}nicht (?:rangehen|drangehen|ans telefon|entgegennehmen)',
  'no (?:puedo|podemos) (?:contestar|coger|responder|atender (?:su|tu|la) llamada)',
  'ne (?:peux|peut|pouvons) .{0,15}(?:repondre|decrocher)',
);

const ASKS = any('how (?:can|may) (?:i|we)', 'this is \\w+ speaking', "who(?:'s| is) calling");

const plain = (transcript: string): string =>
  transcript.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('’', "'").toLowerCase();

/** Whether a machine says this that takes messages, or none. */
export function isMailbox(transcript: string): boolean {
  const words = plain(transcript);
  return [UNAVAILABLE, TONE, RECORDS].some((phrases) => phrases.test(words));
}

/** The one who has the caller wait: a person who will go on, or possibly a machine; null for words that do not. */
export function holdOf(transcript: string): 'person' | 'machine' | null {
  const words = plain(transcript);
  if (words.includes('?') || QUESTION.test(words)) return null;
  if (HOLD.test(words)) return 'machine';
  if (MOMENT.test(words)) return 'person';
  return CONNECTS.test(words) ? 'machine' : null;
}

/** The label for the words of whoever answered a phone. */
export function answeredBy(transcript: string): (typeof LABELS)[Speaker] {
  return LABELS[speakerOf(transcript)];
}

/** Whether whoever says this helps callers, rather than asking on somebody's behalf who they are. */
const isBusiness = (words: string): boolean =>
  HELPS.test(words) && !CONNECTS.test(words) && !NAME.test(words.replaceAll(OWN_NAME, ''));

/** The one who answered a phone with these words. */
export function speakerOf(transcript: string): Speaker {
  const words = plain(transcript);
  if (UNAVAILABLE.test(words)) return 'unavailable';
  if (CONNECTS.test(words) && NAME.test(words)) return 'screening';
  if (TONE.test(words)) return 'voicemail';
  if (SCREENING.test(words) && !LEFT.test(words) && !isBusiness(words)) return 'screening';
  if (RECORDS.test(words)) return 'voicemail';
  if (MENU.test(words)) return 'ivr';
  if (ANNOUNCED.test(words)) return 'unavailable';
  if (AI.test(words)) return 'ai';
  return ABSENT.test(words) && !ASKS.test(words) ? 'voicemail' : 'human';
}
