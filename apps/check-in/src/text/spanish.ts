import type { Words } from './english.ts';

export const spanish: Words = {
  loading: 'Cargando…',
  language: 'Idioma',
  step: (step, steps) => `Paso ${step} de ${steps}`,
  next: 'Continuar',
  back: 'Atrás',
  optional: 'opcional',
  notKept:
    'Este navegador no guarda lo que escribe. Por favor, termine sin cerrar ni volver a cargar esta página.',
  onlineOnly:
    'Este navegador no puede guardar su firma mientras no haya conexión. Por favor, siga en línea hasta que le dé las gracias.',
  languageChanged: 'Ha cambiado el idioma: por favor, acepte y firme de nuevo en este.',
  bindingLanguage: (language) =>
    `El texto vinculante es el que está en ${language}; esta traducción le facilita la lectura.`,
  signedLanguages:
    'Su navegador traduce esta página, pero no los textos que firma. Estos se pueden leer y firmar en:',
  startAgain: 'Empezar de nuevo',
  startAgainQuestion: '¿Borrar lo que ha escrito y empezar de nuevo?',
  startAgainConfirm: 'Borrar y empezar de nuevo',
  cancel: 'Cancelar',
  you: 'Usted',
  child: (number) => `Menor ${number}`,

  who: {
    title: '¿Quién es usted?',
    returning: 'Ya he estado aquí',
    signingFor: '¿Por quién firma?',
    self: 'Por mí',
    both: 'Por mí y por menores',
    children: 'Solo por menores',
    childrenHelp: 'Usted es su padre, madre o tutor legal y no participa.',
    whichGuest: '¿Cuál de estas personas es usted?',
    hasSigned: 'ha firmado',
    notListed: 'No estoy en esta lista',
    guardianName: 'Su nombre completo',
    relationship: 'Su relación con los menores',
    relationshipHelp: 'Por ejemplo, madre, padre o tutor legal',
    dateOfBirth: 'Su fecha de nacimiento',
    ofAge: (years) => `Tengo ${years} años o más.`,
  },

  children: {
    title: 'Los menores',
    intro: (majority) => `Todas las personas menores de ${majority} años por las que firma.`,
    whichGuest: 'Su nombre en la reserva',
    notListed: 'No está en la lista',
    add: 'Añadir otro menor',
    remove: (name) => `Quitar a ${name}`,
    atMost: (count) => `Una persona puede firmar por ${count} menores como máximo.`,
  },

  fields: {
    yes: 'Sí',
    no: 'No',
    choose: 'Elija, por favor',
    day: 'Día',
    month: 'Mes',
    year: 'Año',
    initials: 'Sus iniciales',
    initialsHelp: 'Muestran que ha leído esta parte.',
    photo: 'Hacer o elegir una foto',
    otherPhoto: 'Hacer otra foto',
    photoWorking: 'Preparando la foto…',
    photoFailed: 'Este archivo no se puede leer como foto. Por favor, elija otro.',
    photoLimit: 'Son demasiadas fotos para una sola firma.',
  },

  signature: {
    how: 'Dibuje o escriba, como prefiera: ambas formas valen lo mismo.',
    draw: 'Dibujar',
    type: 'Escribir',
    drawHere: 'Firme aquí',
    typeHere: 'Su nombre completo',
    clear: 'Borrar',
    empty: 'Todavía no hay nada dibujado.',
    drawn: 'Su firma está dibujada.',
    of: (name) => `Firma de ${name}`,
    ofGuardian: (name) =>
      name === ''
        ? 'Firma del padre, de la madre o del tutor legal'
        : `Firma de ${name}, padre, madre o tutor legal`,
    isFull: 'El dibujo está lleno. Bórrelo para dibujar de nuevo.',
  },

  check: {
    title: '¿Es todo correcto?',
    intro: 'Todavía no se ha enviado nada de forma definitiva. Aún puede cambiarlo todo.',
    change: 'Cambiar',
    agreed: 'Aceptado',
    notAgreed: 'No aceptado',
    initials: (initials) => `Leído, iniciales ${initials}`,
    send: 'Confirmar y enviar',
    sending: 'Enviando…',
    sendAgain: 'Enviar de nuevo',
  },

  done: {
    title: 'Todo firmado. ¡Gracias!',
    signedFor: (names) => `Firmado por ${names}.`,
    next: 'El equipo ya ve que ha firmado; no hace falta imprimir ni enseñar nada.',
    waits:
      'Ahora no hay conexión. Su firma está segura en este dispositivo, cerrada de modo que solo el servicio puede leerla. Se envía en cuanto haya conexión: deje esta página abierta o vuelva a abrirla más tarde. Su copia aparecerá aquí en cuanto se haya enviado.',
    copy: 'Abrir su copia',
    copyLasts:
      'Este enlace a lo que ha firmado no caduca: guárdelo o envíeselo. Quien lo tenga puede leerlo.',
    noCopy: 'Pida al equipo una copia de lo que ha firmado.',
    another: 'Firmar por otra persona',
    nextGuest: 'Siguiente persona',
  },

  waiting: {
    count: (count: number) =>
      count === 1
        ? '1 firma espera en este dispositivo y se envía en cuanto haya conexión.'
        : `${count} firmas esperan en este dispositivo y se envían en cuanto haya conexión.`,
    stuck: (count: number) =>
      count === 1
        ? '1 firma no se pudo entregar. Se conserva aquí: por favor, muestre esta página al equipo.'
        : `${count} firmas no se pudieron entregar. Se conservan aquí: por favor, muestre esta página al equipo.`,
    sent: 'Lo que esperaba en este dispositivo se ha enviado.',
  },

  changed: {
    title: 'El formulario ha cambiado',
    intro:
      'Desde que abrió esta página se ha publicado una versión nueva. Sus respuestas se conservan. Por favor, lea lo que ha cambiado y después siga y firme esta versión.',
    added: 'Nuevo',
    reworded: 'Cambiado',
    removed: 'Ya no se pregunta',
    small: 'Solo han cambiado el orden o las reglas del formulario.',
  },

  trouble: {
    tryAgain: 'Intentar de nuevo',
    offline: {
      title: 'Sin conexión',
      text: 'No se pudo enviar. Por favor, deje esta página abierta: se envía en cuanto haya conexión; también puede intentarlo de nuevo.',
    },
    offlineAtStart: {
      title: 'Sin conexión',
      text: 'No se ha podido cargar el formulario. Compruebe su conexión e inténtelo de nuevo.',
    },
    unavailable: {
      title: 'No ha funcionado',
      text: 'El servicio tiene un problema en este momento. Lo que ha escrito se conserva; inténtelo de nuevo en un minuto.',
    },
    tooManyRequests: {
      title: 'Un momento',
      text: 'Ahora mismo están firmando muchas personas. Inténtelo de nuevo en un minuto.',
    },
    tooLarge: {
      title: 'Las fotos son demasiado grandes',
      text: 'Por favor, vuelva atrás y elija una foto más pequeña.',
    },
    linkUnknown: {
      title: 'Este enlace no funciona',
      text: 'Puede que esté incompleto. Abra el enlace entero de su mensaje o pregunte al equipo.',
    },
    linkExpired: {
      title: 'Este enlace ha caducado',
      text: 'Pida al equipo un enlace nuevo o firme en la recepción.',
    },
    linkRevoked: {
      title: 'Este enlace ya no es válido',
      text: 'Pida al equipo un enlace nuevo o firme en la recepción.',
    },
    bookingGone: {
      title: 'Esta reserva ya no existe',
      text: 'Se ha cancelado o cambiado. Pregunte al equipo.',
    },
    noForm: {
      title: 'Aquí todavía no hay nada que firmar',
      text: 'No hay ningún formulario preparado para esta actividad. Pregunte al equipo.',
    },
    alreadySigned: {
      title: 'Ya está firmado',
      text: 'Ya hay una firma para esta persona. No hay que hacer nada más.',
    },
    everyoneSigned: {
      title: 'Ya está firmado',
      text: 'Todas las personas de esta reserva han firmado. No hay que hacer nada más.',
    },
    signingExists: {
      title: 'Esto todavía no se ha enviado',
      text: 'Con el mismo número ya se había firmado otra cosa, quizás en otra pestaña. Todo lo que ha introducido sigue aquí: revíselo y envíelo otra vez. Contará como una firma aparte.',
    },
    guestNotOfLink: {
      title: 'La reserva ha cambiado',
      text: 'La persona elegida ya no está en esta reserva. Vuelva atrás y elija de nuevo.',
    },
    preview: {
      title: 'Esto es una vista previa',
      text: 'Aquí firman los clientes. No se ha enviado ni guardado nada.',
    },
    refused: {
      title: 'No se ha podido aceptar',
      text: 'Revise sus respuestas o pregunte al equipo.',
    },
    failed: {
      title: 'No se ha podido mostrar esta página',
      text: 'Lo que ha escrito se conserva. Vuelva a cargar la página; si no sirve, firme en la recepción.',
    },
  },
};
