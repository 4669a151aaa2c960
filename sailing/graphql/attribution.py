"""The input fields that say where a visitor came from (see `sailing.attribution`)."""

import graphene


class AttributionInput:
    """Base of the inputs that visitors' forms send. What is not allowed is dropped, without an error."""

    utm_source = graphene.String(description="The `utm_source` of the first address, at most 64 characters.")
    utm_medium = graphene.String(description="The `utm_medium` of the first address, at most 64 characters.")
    utm_campaign = graphene.String(
        description="The `utm_campaign` of the first address, at most 64 characters."
    )
    referrer = graphene.String(description="The host of the page that linked to this site.")
