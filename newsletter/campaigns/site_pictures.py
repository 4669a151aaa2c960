"""The pictures of the site that campaigns may show, with their alt texts.

The site has them as WebP and AVIF, which Outlook on Windows does not show.
"""

from django.utils.translation import gettext_lazy as _

SITE_PICTURES = {
    "hero-sailors": _("Three white-sailed racing yachts heeling on a bright blue morning"),
    "course-racing": _("Three racing yachts with colorful gennakers near an orange mark"),
    "boat-crew": _("Five people in the cockpit of a white yacht, sailing along a green island coast"),
    "boat-sailboat-7": _("Sailing yacht heeling under full sail at golden dawn, low sun beside the sails"),
    "boat-catamaran-1": _("White sailing catamaran under sail in turquoise water"),
    "boat-catamaran-2": _("Catamaran at anchor in a mountain bay on a pastel evening, cabin lights on"),
    "boat-sailboat-2": _("Classic navy-blue wooden yacht with cream sails at sunset"),
    "boat-sailboat-4": _("Small white sailboat on a calm lake between wooded hills"),
    "boat-sailboat-6": _("Yacht with reefed sails heeling under dark storm clouds"),
    "course-basics": _("Three training dinghies with white, yellow and blue sails on a calm bay"),
    "course-navigation": _("Brass compass and dividers on a nautical chart, sea at sunrise behind"),
    "course-docking": _("Yacht moored to a wooden dock, line made fast on a cleat, coiled rope in front"),
    "course-anchor": _("White yacht lying to her anchor chain in a turquoise bay below green mountains"),
    "course-night": _("Yacht sailing by moonlight, her cabin and navigation lights on"),
    "hero-companies": _("Charter yachts moored at a dock at blue hour, cabin lights mirrored in still water"),
    "boat-motoryacht-1": _("White flybridge motor yacht under way in morning light"),
    "cargo-ship": _("Blue cargo ship with containers and two cranes under way at sunrise"),
}
